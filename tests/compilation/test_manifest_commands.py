"""The manifest knows every kernel a command calls, so that no command waits for the compiler after a warm-up."""

from manifest_calls import run_checked
from specimens.fights import write_fight

SCRIPT = """
from click.testing import CliRunner

from lastseen.reasoning.chase.flood.chase_settings import PRESETS
from lastseen.reasoning.locations.query import shipped_queries
from lastseen.views.cli.app.main import cli


SEEN = ("--seen", "3.5,5.5", "--heading", "1,0")
PLACES = [word for name in ("threats", "players", "target", "exits") for word in ("--place", f"{name}=9.5,5.5")]
COMMANDS = [
    ("play", "rooms", "--picture", "play.png"),
    ("play", "house", "--picture", "play.png"),
    *(("chase", "rooms", *SEEN, "--preset", preset) for preset in PRESETS),
    ("chase", "rooms", *SEEN, "--predictor", "dead-reckoning"),
    ("chase", "rooms", *SEEN, "--predictor", "last-position"),
    ("chase", "rooms", *SEEN, "--predictor", "particle-filter"),
    ("chase", "house", "--seen", "6,2", "--preset", "belief", "--guard", "6,1", "--worth", "all", "--max-steps", "3"),
    ("chase", "rooms", *SEEN, "--preset", "corridors", "--guard", "1.5,5.5", "--gif", "a.gif", "--max-steps", "3"),
    ("chase", "--figures", "figures"),
    ("bake", "house", "-o", "house.cells"),
    ("chase", "house.cells", "--seen", "6,2", "--heading", "0,1"),
    ("show", "house.cells", "-o", "house.png", "--distance-from", "6,2", "--scale", "10"),
    *(("locate", "rooms", "--query", name, "--from", "3.5,5.5", *PLACES) for name in shipped_queries()),
    ("locate", "house.cells", "--query", "watch", "--from", "6,2", *PLACES, "--png", "a.png", "--scale", "10"),
    ("guards", "place", "house", "--guards", "2", "--kind", "walking", "--kind", "camera", "-o", "g.geojson", "--png",
     "g.png", "--scale", "10"),
    ("guards", "verify", "warehouse", "--solver", "both", "--runs", "2", "--png", "v.png", "--scale", "10"),
    ("evaluate", "chase", "rooms", "house.cells", "--episodes", "3", "--report", "report"),
    *(("run", name, "--seconds", "12", "-o", f"{name}.rec") for name in ("rooms", "hall", "house", "warehouse")),
    ("run", "fight.yaml", "--seconds", "5", "-o", "fight.rec"),
    ("why", "fight.rec", "--agent", "Ames", "--at", "2"),
    ("replay", "house.rec", "--png", "at.png", "--at", "1", "--scale", "10"),
    ("why", "house.rec", "--agent", "Ames", "--at", "1"),
]
for command in COMMANDS:
    result = CliRunner().invoke(cli, list(command))
    assert result.exit_code == 0, (command, result.output)
    check(' '.join(command))
"""


def test_commands_call_only_kernels_of_the_manifest(tmp_path):
    write_fight(tmp_path, ready=True)
    run_checked(SCRIPT, tmp_path)
