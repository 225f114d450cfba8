"""The manifest knows every kernel a game in the studio calls."""

from manifest_calls import run_checked
from specimens.fights import write_fight

SCRIPT = '''
from lastseen.reasoning.chase.flood.chase_settings import PRESETS
from lastseen.simulation.world.puppet import PlayerInput
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.protocol.greeting_builder import mesh_answer
from lastseen.views.studio.protocol.frames import FramePacker
from lastseen.views.studio.protocol.messages import WhatIf
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.views.studio.protocol.layers import layer_kinds
from lastseen.views.studio.answers.questions import flood_answer
from lastseen.views.studio.panels.agent import account_answer
from lastseen.views.studio.panels.cell import cell_answer
from lastseen.views.studio.answers.survey import Survey, frame_to_survey


def play(game):
    """Run about, be known to a guard who chases and searches, and ask all that a page asks on the way."""
    lens = FramePacker(game)
    world = game.world
    guard = int(world.cast.watchers[0])
    for tick in range(300):
        if tick == 40 and not game.has_ended():
            game.place(game.stage.player, start)
        if game.has_ended():
            break
        if tick % 60 == 59:
            world.hunt.perceive(
                world.bodies.xyz[game.stage.player], world.time, sure=True, agents=[guard],
                places=world.bodies.xyz[[guard]], target=game.stage.player,
            )
        game.advance(PlayerInput((1.0, 0.5), "run", tick % 30 == 0, start if tick == 20 else None))
        if tick % 10 == 0:
            lens.frame(views=True, ways=True)
            account_answer(game, guard, None)
    cell_answer(game, 3)
    survey = Survey(game.stage, world.cast.watchers, world.cast.targets)
    for kind in layer_kinds(game.stage)[2:]:
        survey.values(kind.name, frame_to_survey(game))
    mesh_answer(game)
    flood_answer(game, WhatIf(start, (1.0, 0.0), start, tuple(PRESETS)[:4]))
    flood_answer(game, WhatIf(start))


GAMES = [("warehouse", "normal"), ("house", "hard"), ("rooms", "easy"), ("hall", "normal"), ("fight.yaml", None)]
stages = [opened(Folder("."), request_for(*given)) for given in GAMES]
for stage in stages:
    game = Game(stage)
    start = tuple(game.world.bodies.xyz[stage.player].tolist())
    play(game)
    check(f"a game in {stage.source}")
'''


def test_games_call_only_kernels_of_the_manifest(tmp_path):
    write_fight(tmp_path, ready=True)
    run_checked(SCRIPT, tmp_path)
