# Two commands do everything on a fresh machine with Python 3.11+: `make play` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
LOCKED := --quiet --disable-pip-version-check --require-hashes -r

# Python keeps what it compiled even where it is told not to: dozens of commands that the tests start need it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test test-long browser check imported kernels mutants wheel bench bench-peers pictures docs protocol install lock clean help
.DEFAULT_GOAL := help

help:
	@echo "make play         sneak through a sample level in the browser"
	@echo "make test         lint, types, import contracts and tests"
	@echo "make test-long    the tests make test leaves out, since they take long"
	@echo "make check        ruff, oxlint, mypy and import contracts only"
	@echo "make bench        measure ratios side by side (make bench-peers first for the C++ peers)"
	@echo "make kernels      record which kernels there are, after changing one"
	@echo "make mutants      count the random faults that the nearest tests notice (COUNT=200 SEED=1)"
	@echo "make wheel        build a wheel with compiled kernels"
	@echo "make pictures     draw the pictures of the documentation again"
	@echo "make docs         build the site with guides and API reference into out/site"
	@echo "make protocol     write the JSON schema of the messages of the studio to out/protocol.json"
	@echo "make install      set up .venv with the library and its command"
	@echo "make lock         pin the dependencies again"

.venv/run.done: requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv (once) ..."
	@$(BIN)/python -m pip install $(LOCKED) requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

.venv/dev.done: requirements-dev.lock .venv/run.done
	@echo "Setting up the development tools (once) ..."
	@$(BIN)/python -m pip install $(LOCKED) requirements-dev.lock
	@touch $@

pictures: .venv/dev.done
	@$(BIN)/lastseen play warehouse --picture docs/pictures/warehouse.png
	@$(BIN)/lastseen chase --figures docs/pictures
	@SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $(BIN)/python examples/pygame_guard.py docs/pictures/game-loop.png
	@mkdir -p out
	@$(BIN)/lastseen run docs/pictures/last-seen.yaml -o out/last-seen.rec --quiet
	@$(BIN)/lastseen replay out/last-seen.rec --gif docs/pictures/last-seen.gif --speed 2 --scale 28 --bare

docs: .venv/dev.done
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "The site begins at out/site/index.html."

protocol: .venv/run.done
	@mkdir -p out
	@$(BIN)/python -m lastseen.views.studio.protocol.schema > out/protocol.json
	@echo "The schema of the studio's messages is in out/protocol.json."

install: .venv/run.done

play: .venv/run.done
	@$(BIN)/lastseen play

check: .venv/dev.done
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/oxlint --quiet src
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

# The tests of the page drive a real browser: Debian's.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "Installing the package chromium (once) ..." && \
	    { apt-get install -qq -y --no-install-recommends chromium >/dev/null 2>&1 || \
	      { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null; }; }; } || \
	  { echo "The tests of the page need Chromium: install the package 'chromium', then run make test again." >&2; exit 1; }

# Kernels before the tests, whose workers would wait for one another's. Meanwhile everything else, tests imported once
# included: otherwise each worker prepares the assertions of all tests for itself.
test: .venv/run.done
	@$(BIN)/lastseen warmup & kernels=$$!; \
	  $(MAKE) --no-print-directory browser check imported || { kill $$kernels; exit 1; }; \
	  wait $$kernels
	@$(BIN)/pytest

imported: .venv/dev.done
	@faults=$$($(BIN)/pytest --collect-only -qqq -n 0 2>&1) || { echo "$$faults"; exit 1; }

test-long: .venv/dev.done
	@$(BIN)/pytest -m long

kernels: .venv/dev.done
	@$(BIN)/python -m tools.record_kernels

COUNT ?= 200
SEED ?= 1
mutants: .venv/dev.done
	@$(BIN)/lastseen warmup --small
	@$(BIN)/python -m tools.reached --plain
	@$(BIN)/python -m tools.reached --compiled
	@$(BIN)/python -m tools.mutate --count $(COUNT) --seed $(SEED)

# Compiled kernels lie in the source tree only while the wheel is built: a checkout compiles its own.
wheel: .venv/dev.done
	@trap 'rm -rf src/lastseen/kernels/compiled' EXIT; $(BIN)/python -m tools.ship_kernels && \
	  $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps -w dist .

bench: .venv/dev.done
	@$(BIN)/python -m benchmarks

bench-peers: .venv/dev.done
	@$(BIN)/python -m benchmarks.peers

lock:
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --python-version 3.11 --extra build pyproject.toml -o requirements.lock
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate \
	  --python-version 3.11 --extra build --extra dev --extra docs --extra games --extra sweep -c requirements.lock pyproject.toml -o requirements-dev.lock

clean:
	rm -rf .venv .cache out
