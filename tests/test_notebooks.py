"""Objects in notebooks: tables for pandas and polars, pictures, and the notebook of the examples."""

import math
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml
from nbclient import NotebookClient
from PIL import Image

import lastseen as ls
from lastseen.errors import InputError
from lastseen.experiments import evaluate_chase, read_sweep, run_sweep, summarise, summarise_sweep
from lastseen.extensions import notebooks
from lastseen.views.figures.notebook import picture_of

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def cells():
    return ls.CellLayout.from_level(ls.Level.sample("rooms"))


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    file = tmp_path_factory.mktemp("recorded") / "watch.rec"
    scenario = ls.parse_scenario("""
level: corridor
seconds: 2
agents: [{name: Ames, at: [6, 4], heading: 0, patrol: beat}, {name: <you>, brain: puppet, at: [14, 4]}]
""")
    ls.record(ls.make_world(scenario), file)
    return ls.Recording.read(file)


def same_tables(thing):
    """Check that pandas and polars get the columns; return the table of pandas."""
    columns, table, other = thing.to_columns(), thing.to_pandas(), thing.to_polars()
    assert list(table.columns) == list(columns) == other.columns
    assert len({len(values) for values in columns.values()}) == 1
    assert len(table) == other.height == len(next(iter(columns.values())))
    return table


def test_an_evaluation_is_a_table_of_episodes_and_its_summary_one_of_estimates(cells):
    evaluation = evaluate_chase({"rooms": cells}, predictors=["article", "last position"], episodes=6, seed=3)
    table = same_tables(evaluation)
    pooled = summarise(evaluation)[0]
    assert set(table["predictor"]) == set(evaluation.names)
    assert len(table) == pooled.count * len(evaluation.names)
    summary = same_tables(pooled).set_index(["predictor", "metric"])
    for name, group in table.groupby("predictor"):
        assert summary.loc[(name, "reacquired"), "value"] == pytest.approx(group["reacquired"].mean())


def test_a_recording_is_a_table_of_steps_and_agents(recording):
    table = same_tables(recording)
    assert len(table) == len(recording) * 2
    last = table[table["agent"] == "Ames"].iloc[-1]
    assert last["seconds"] == pytest.approx(recording.seconds)
    assert np.allclose(last[["x", "y", "z"]].astype(float), recording.frame(len(recording) - 1).columns["xyz"][0])
    assert "patrol" in set(table["state"])


def test_the_summary_of_a_sweep_is_a_table(tmp_path):
    (tmp_path / "sweep.toml").write_text(
        'evaluate = "placement"\nlevels = ["hall"]\n[fixed]\npath = [[2.5, 1.5], [29.5, 1.5]]\nruns = 0\n'
        "[grid]\nguards = [1, 2]\n"
    )
    run_sweep(read_sweep(tmp_path / "sweep.toml"), tmp_path / "out", jobs=1)
    table = same_tables(summarise_sweep(tmp_path / "out"))
    chosen = table[(table["parameter"] == "guards") & (table["measure"] == "seen_ever")]
    assert chosen["at"].tolist() == ["1", "2"]
    assert chosen["value"].is_monotonic_increasing


def test_a_missing_library_is_named(monkeypatch, recording):
    monkeypatch.setattr(notebooks, "import_module", lambda name: __import__(f"no_{name}_here"))
    with pytest.raises(InputError, match=r"need the package 'pandas'.*pip install pandas"):
        recording.to_pandas()


def test_levels_layouts_layers_and_floods_are_pictures(cells):
    live = ls.LiveLayout(cells)
    layer = ls.Layer(live, "danger", "float64")
    layer.values[:] = np.arange(len(cells))
    flood = ls.Chase(live).predict(seen_at=cells.arrays.cell_xyz[10].astype(float), heading=(1, 0))
    pictures = [thing._repr_png_() for thing in (ls.Level.sample("rooms"), cells, layer, flood)]
    assert len(set(pictures)) == 4
    for picture in pictures:
        with Image.open(BytesIO(picture)) as drawn:
            assert drawn.format == "PNG"
            assert math.prod(drawn.size) > 10_000


def test_objects_are_short_as_text_and_tables_in_notebooks(cells):
    evaluation = evaluate_chase({"rooms": cells}, predictors=["article"], episodes=3, seed=3)
    level = ls.Level.sample("rooms")
    live = ls.LiveLayout.from_level(level)
    live.set_door(0, closed=True)
    flood = ls.Chase(live).predict(seen_at=cells.arrays.cell_xyz[10].astype(float), heading=(1, 0))
    path = ls.find_path(cells.mesh, cells.arrays.cell_xyz[10], cells.arrays.cell_xyz[-1])
    nowhere = ls.find_path(cells.mesh, (-50.0, 0.0), (0.0, 0.0))
    for thing in (level, cells, cells.mesh, evaluation, live, live.sight, flood, path, nowhere):
        assert len(repr(thing)) < 120
        assert " at 0x" not in repr(thing)
    assert repr(live) == f"<LiveLayout 'Two rooms': {len(cells)} cells, 1 door shut>"
    assert repr(live.sight) == "<Sight: 1 of 1 doors shut>"
    assert repr(nowhere) == "<Path: start_off_mesh, 0.0 m, 0 points>"
    assert flood.reason in repr(flood)
    warehouse = ls.LiveLayout.from_level(ls.Level.sample("warehouse"))
    assert repr(warehouse).endswith(" cells, 7 doors shut>")  # one number, however many doors there are
    assert repr(warehouse.sight) == "<Sight: 7 of 10 doors shut>"
    assert f"{len(cells)} cells>" in repr(cells)
    assert "<table" in evaluation._repr_html_()


def test_what_is_no_evaluation_and_has_no_picture_is_named(cells):
    with pytest.raises(InputError, match="evaluation is None; give the result of evaluate_chase"):
        summarise(None)
    with pytest.raises(InputError, match="no picture of a NavMesh"):
        picture_of(cells.mesh)


def test_a_recording_is_a_page_in_which_names_are_escaped(recording):
    page = recording._repr_html_()
    assert "data:image/png;base64," in page
    assert "&lt;you&gt;" in page
    assert "<you>" not in page
    assert "2.0 s in" in page


def test_the_notebook_runs_and_shows_pictures_and_tables(tmp_path):
    book = nbformat.read(EXAMPLES / "first_experiment.ipynb", as_version=4)
    nbformat.validate(book)
    assert all(not cell.get("outputs") for cell in book.cells), "notebooks are committed without outputs"
    NotebookClient(book, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    kinds = {kind for cell in book.cells for one in cell.get("outputs", ()) for kind in one.get("data", {})}
    assert {"image/png", "text/html"} <= kinds


def test_the_citation_names_this_version():
    cited = yaml.safe_load((EXAMPLES.parent / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == ls.__version__
    assert {"cff-version", "message", "title", "authors", "type", "license"} <= set(cited)
