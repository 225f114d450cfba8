"""Read a map drawn with Tiled, saved as JSON (`.tmj`, `.json`).

Supports orthogonal maps with square tiles, of fixed size or infinite; one tile is 1 m, or the map's property
`metres_per_tile`. x = column, y = row, growing downwards as in Tiled. Tile layers may be stored as
CSV or base64, plain or compressed with zlib or gzip. One file is one storey at z = 0.

How walls are found, layer by layer in drawing order:

1. A layer whose property `kind`, class or name is *walls*, *collision*, *obstacles*, *solid* or *blocked* makes
   all its tiles walls; one called *floor*, *ground* or *walkable* makes them floor.
2. In any layer, a tile whose tileset says so overrides that: `walkable` true or false, or `wall`, `solid`,
   `collides`, `blocked` true, or a class (or property `kind`) from the list below.
3. If anything declares floor, only that is floor; otherwise everything on the map that is not wall is floor.
   A map that declares neither is rejected.

Only embedded tilesets are read. An external one is not a fault as long as layers declare walls and floor.

Classes of objects (and of tiles): wall, cover, door (closed, open, locked; property `open`, `locked`), hide, player,
guard, spawn (`who`), exit, goal, marker (`subkind`), zone (`subkind`), patrol, path. Walls, cover, doors and zones
are rectangles, ellipses or polygons; an exit with an area is a zone. Further properties: `height` (m), `heading`
(degrees, 0 = right, 90 = down), `speed` (m/s), `turn_speed` (°/s), `view_angle` (°, the full opening),
`view_distance` (m), `capacity`, and on a guard `patrol`, a name or an object reference. A patrol drawn as a polygon is
walked in a loop, one drawn as a polyline back and forth; `loop` false ends it, `wait` is seconds at each corner.
Objects without a class in a layer of walls are walls; other objects are ignored, with a warning for each class.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import msgspec
import numpy as np

from ...conventions import Array
from ...errors import Fault
from ..level import Level, TileFloor, Tiles
from .faults import FaultList, decode_document, decode_part
from .parts import Meaning, Parts
from .tile_features import PASSABLE_KINDS, TileGrid, place
from .tiled_layers import Layer, Map, TileSet, TileWindow, properties_of, tile_numbers, window_of
from .tiled_objects import TILE_PROPERTIES, Drawn, Ignored, layer_role, object_of, place_objects, tile_meaning

_ADVICE = "save the map with Tiled as JSON"
_MOST_NESTED = 20


def sniff(data: bytes, suffix: str) -> bool:
    """Return whether the bytes look like a Tiled map."""
    if not data[:200].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return False
    return suffix == ".tmj" or (b'"tilewidth"' in data and b'"layers"' in data)


def read(data: bytes, source: str) -> Level:
    """Return the map as one storey of tiles with its objects; raise `LevelError` with all faults."""
    return inspect(data, source)[0]


def inspect(data: bytes, source: str) -> tuple[Level, list[Fault]]:
    """Return what `read` does, and a warning for all classes of objects, misspelt properties and layers it ignores."""
    faults, ignored = FaultList(source), Ignored()
    tile_map: Map = decode_document(data, Map, _ADVICE, faults)
    tile = _check_map(tile_map, faults, ignored)
    layers = _flat(tile_map.layers, faults, 0, (0.0, 0.0))
    meanings, external = _tilesets(tile_map, faults, ignored)
    window = window_of(tile_map, layers, faults)
    parts = Parts()
    drawing = _Drawing(window, tile, meanings)
    for layer in layers:
        ignored.check_layer(layer, bool(meanings))
        if layer.type == "tilelayer":
            drawing.add(layer, tile_map.infinite, faults)
    drawn = _objects(layers, tile / max(1, tile_map.tilewidth), faults, ignored)
    walls_drawn = any(item.meaning.kind in ("wall", "cover") for item in drawn)
    drawing.finish(parts, walls_drawn, external, faults)
    place_objects(drawn, parts, faults)
    faults.stop_if_any(ignored.warnings())
    grid = drawing.grid
    floor = TileFloor(grid.passable, 0.0, tile, grid.origin_xy)
    return parts.level(Tiles((floor,)), PurePath(source).stem, source), ignored.warnings()


def _check_map(tile_map: Map, faults: FaultList, ignored: Ignored) -> float:
    """Return metres per tile; record unsupported kinds of map as faults."""
    if tile_map.orientation != "orthogonal":
        faults.add(f"orientation is {tile_map.orientation[:40]!r}", "only orthogonal maps are supported")
    if tile_map.tilewidth != tile_map.tileheight or tile_map.tilewidth < 1:
        size = f"{tile_map.tilewidth} x {tile_map.tileheight} pixels"
        faults.add(f"tiles are {size}", "only square tiles of at least 1 pixel are supported")
    properties = properties_of(tile_map.properties)
    ignored.check_properties(properties, ("metres_per_tile",), "map")
    metres: Any = properties.get("metres_per_tile", 1.0)
    if isinstance(metres, bool) or not isinstance(metres, int | float) or not 0.01 <= metres <= 1000:
        faults.add(f"metres_per_tile is {str(metres)[:40]!r}", "give a number from 0.01 to 1000")
        return 1.0
    return float(metres)


def _flat(raws: list[msgspec.Raw], faults: FaultList, depth: int, offset: tuple[float, float]) -> list[Layer]:
    """Return all layers in drawing order, with groups flattened and their offsets added."""
    layers = []
    for number, raw in enumerate(raws):
        layer: Layer | None = decode_part(raw, Layer, f"layer {number}", _ADVICE, faults)
        if layer is None:
            continue
        layer.offsetx += offset[0]
        layer.offsety += offset[1]
        if layer.type == "group" and depth < _MOST_NESTED:
            layers += _flat(layer.layers, faults, depth + 1, (layer.offsetx, layer.offsety))
        elif layer.type == "group":
            faults.add(f"groups are nested more than {_MOST_NESTED} deep", "ungroup some of them")
        else:
            layers.append(layer)
    return layers


def _tilesets(tile_map: Map, faults: FaultList, ignored: Ignored) -> tuple[dict[int, Meaning], list[str]]:
    """Return meanings by tile number, and the names of external tilesets."""
    meanings, external = {}, []
    for number, raw in enumerate(tile_map.tilesets):
        where = f"tileset {number}"
        tileset: TileSet | None = decode_part(raw, TileSet, where, _ADVICE, faults)
        if tileset is None:
            continue
        if tileset.source:
            external.append(tileset.source)
        for item in tileset.tiles:
            place, properties = f"{where}, tile {item.id}", properties_of(item.properties)
            ignored.check_properties(properties, TILE_PROPERTIES, place)
            meaning = tile_meaning(item.class_ or item.type, properties, place, faults)
            if meaning:
                meanings[tileset.firstgid + item.id] = meaning
    return meanings, external


def _objects(layers: list[Layer], scale: float, faults: FaultList, ignored: Ignored) -> list[Drawn]:
    found = []
    for layer in layers:
        role = layer_role(layer)
        for number, raw in enumerate(layer.objects):
            item = object_of(raw, number, layer, scale, role, faults, ignored)
            if item:
                found.append(item)
    return found


class _Drawing:
    """Floor and walls while layers are added one by one."""

    def __init__(self, window: TileWindow, tile: float, meanings: dict[int, Meaning]) -> None:
        self.window = window
        self.meanings = meanings
        shape = (window.height, window.width)
        self.floor = np.zeros(shape, np.bool_)
        self.wall = np.zeros(shape, np.bool_)
        self.says_floor = self.says_wall = False
        self.features: list[tuple[Meaning, Array]] = []
        self.grid = TileGrid(self.floor, tile, 0.0, (window.left * tile, window.top * tile))

    def add(self, layer: Layer, infinite: bool, faults: FaultList) -> None:
        """Add one tile layer on top of the previous ones."""
        role = layer_role(layer)
        if (role or self.meanings) and (layer.offsetx or layer.offsety):
            faults.add("the layer is shifted off the grid", "set its offset to 0", f"layer {layer.name!r}")
        numbers = tile_numbers(layer, self.window, infinite, faults)
        self.says_floor |= role == "floor"
        self.says_wall |= role == "wall"
        if role == "floor":
            self.floor |= numbers > 0
        elif role == "wall":
            self.wall |= numbers > 0
        if not self.meanings:
            return
        flat = numbers.ravel()
        known = np.flatnonzero(np.isin(flat, np.array(list(self.meanings), dtype=np.uint32)))
        known = known[np.argsort(flat[known], kind="stable")]
        values, first = np.unique(flat[known], return_index=True)
        for number, tiles in zip(values.tolist(), np.split(known, first[1:])):
            self._add_kind(self.meanings[number], tiles)

    def _add_kind(self, meaning: Meaning, tiles: Array) -> None:
        """Add tiles of one meaning, given as indices into the flat grid."""
        self.says_floor |= meaning.kind == "floor"
        self.says_wall |= meaning.kind in ("wall", "cover")
        passable = meaning.kind in PASSABLE_KINDS
        self.wall.flat[tiles] = not passable
        if passable:
            self.floor.flat[tiles] = True
        if meaning.kind not in ("floor", "wall"):
            self.features.append((meaning, tiles))

    def finish(self, parts: Parts, walls_drawn: bool, external: list[str], faults: FaultList) -> None:
        """Decide which tiles are passable, then place the features tiles stand for."""
        if not (self.says_floor or self.says_wall or walls_drawn):
            advice = "call a layer 'walls' or 'floor', or give tiles a property 'walkable'"
            if external:
                advice += f"; embed tileset {external[0]!r} if it has such properties"
            faults.add("nothing declares which tiles are walls", advice)
        self.grid.passable = ~self.wall & self.floor if self.says_floor else ~self.wall
        if not self.grid.passable.any() and not faults.count:
            faults.add("no tile is passable", "draw some floor that no wall covers")
        for meaning, tiles in self.features:
            mask = np.zeros(self.wall.shape, np.bool_)
            mask.flat[tiles] = True
            place(parts, meaning, mask, self.grid)
