"""The tools that run examples and pages notice what is wrong with them."""

import pytest

import snippets

PAGE = """
Words.

```python
x = 2
```

```python
print(x + 1)
```

```text
3
```

```json
not run
```
"""


def test_blocks_share_a_namespace_and_output_is_compared():
    assert snippets.run_page(PAGE, "page") == []
    wrong = snippets.run_page(PAGE.replace("\n3\n", "\n4\n"), "page")
    assert len(wrong) == 1
    assert wrong[0].startswith("page:12 shows")


def test_text_that_does_not_follow_code_directly_is_no_output():
    assert snippets.run_page("```python\nprint(1)\n```\nA drawing:\n\n```text\n###\n```\n", "page") == []


def test_a_block_that_fails_names_its_line():
    with pytest.raises(ZeroDivisionError) as caught:
        snippets.run_page("\n\n```python\n1 / 0\n```\n", "page.md")
    assert caught.traceback[-1].lineno == 3
    assert str(caught.traceback[-1].path) == "page.md"


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a", "b", False),
        ("a", "a\nb", False),
        ("a ... c", "a long b c", True),
        ("took ... s", "took 3.1 ms", False),
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...", "a", True),
        ("[x] *?", "[x] *?", True),
        ("[x] *", "x y", False),
    ],
)
def test_dots_stand_for_anything(shown, printed, same):
    assert snippets.same_output(shown, printed) is same


def test_expected_output_is_the_comment_at_the_end():
    assert snippets.expected_output("print(1)\n\n# Expected output:\n# 1\n#\n# 2\n") == "1\n\n2"
    assert snippets.expected_output("print(1)\n") is None
    assert snippets.expected_output("# Expected output:\n") is None
    assert snippets.expected_output("x = 1\n# Expected output:\n# 1\nprint(1)\n") is None


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("make nothing", "make has no target 'nothing'"),
        ("python examples/99_absent.py", "there is no file"),
        ("rm -r build", "is not run by the tests"),
        ("lastseen no-such-command", "ended with 2"),
        ("lastseen --help\nthis is not what it says", "but this was printed"),
    ],
)
def test_a_console_block_that_lies_is_caught(command, words):
    faults = snippets.run_page(f"```console\n$ {command}\n```\n", "page")
    assert len(faults) == 1
    assert words in faults[0]


def test_a_console_block_that_tells_the_truth_passes():
    page = "```console\n$ make test\n$ lastseen --help\nUsage: lastseen ...\n...\n$ pip install lastseen  # once\n```\n"
    assert snippets.run_page(page, "page") == []
