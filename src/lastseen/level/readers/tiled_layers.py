"""Structures of a Tiled map, and its tile layers as arrays of tile numbers."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Annotated, Any

import msgspec
import numpy as np

from ...conventions import Array
from .faults import MOST_TILES, FaultList, decode_part

TILE_BITS = 0x0FFFFFFF
"""The upper four bits of a tile number say how the image is flipped."""

_NONE = msgspec.Raw(b"null")
Pixels = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
_Number = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFFFF)]
_Place = Annotated[int, msgspec.Meta(ge=-1_000_000_000, le=1_000_000_000)]
_Size = Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)]
_ADVICE = "save the map again with Tiled"


class Property(msgspec.Struct):
    """A custom property; `value` is as decoded from JSON."""

    name: str
    value: Any = None


class Map(msgspec.Struct):
    """The file; layers and tilesets are decoded one by one."""

    width: _Size
    height: _Size
    tilewidth: _Size
    tileheight: _Size
    layers: list[msgspec.Raw]
    orientation: str = "orthogonal"
    infinite: bool = False
    tilesets: list[msgspec.Raw] = []
    properties: list[Property] = []


class Layer(msgspec.Struct):
    """A layer of any type: tiles in `data` or `chunks`, `objects`, or a group of `layers`."""

    type: str
    name: str = ""
    class_: str = msgspec.field(name="class", default="")
    width: _Size = 0
    height: _Size = 0
    offsetx: Pixels = 0.0
    offsety: Pixels = 0.0
    encoding: str = "csv"
    compression: str = ""
    data: msgspec.Raw = _NONE
    chunks: list[msgspec.Raw] = []
    objects: list[msgspec.Raw] = []
    layers: list[msgspec.Raw] = []
    properties: list[Property] = []


class _Chunk(msgspec.Struct):
    x: _Place
    y: _Place
    width: _Size
    height: _Size
    data: msgspec.Raw


class _Tile(msgspec.Struct):
    id: _Number
    type: str = ""
    class_: str = msgspec.field(name="class", default="")
    properties: list[Property] = []


class TileSet(msgspec.Struct):
    """An embedded tileset with the tiles that carry properties, or the `source` of an external one."""

    firstgid: _Number = 1
    name: str = ""
    source: str = ""
    tiles: list[_Tile] = []


class TileWindow(msgspec.Struct, frozen=True):
    """The part of the plane to read, in tiles."""

    left: int
    top: int
    width: int
    height: int


def properties_of(properties: list[Property]) -> dict[str, Any]:
    """Return custom properties by lower-case name."""
    return {item.name.lower(): item.value for item in properties}


def window_of(tile_map: Map, layers: list[Layer], faults: FaultList) -> TileWindow:
    """Return the extent of the map: its size, or the bounding box of all chunks if it is infinite."""
    window = TileWindow(0, 0, tile_map.width, tile_map.height)
    stored = 0
    if tile_map.infinite:
        pieces = [piece for layer in layers for raw in layer.chunks if (piece := _chunk(raw, layer, None))]
        left = min((piece.x for piece in pieces), default=0)
        top = min((piece.y for piece in pieces), default=0)
        right = max((piece.x + piece.width for piece in pieces), default=0)
        low = max((piece.y + piece.height for piece in pieces), default=0)
        window = TileWindow(left, top, right - left, low - top)
        stored = sum(piece.width * piece.height for piece in pieces)
    tiled = max(1, sum(layer.type == "tilelayer" for layer in layers))
    if window.width * window.height == 0:
        faults.add("the map has no tiles", "give it a width and a height, or draw some tiles")
        faults.stop_if_any()
    if max(stored, window.width * window.height * tiled) > MOST_TILES:
        size = f"{window.width} x {window.height} tiles in {tiled} layers"
        faults.add(f"the map has {size}", f"at most {MOST_TILES} tiles are allowed")
        faults.stop_if_any()
    return window


def tile_numbers(layer: Layer, window: TileWindow, infinite: bool, faults: FaultList) -> Array:
    """Return the tile numbers of a layer without flip bits, 0 for empty tiles: (height, width) uint32."""
    where = f"layer {layer.name!r}"
    numbers = np.zeros((window.height, window.width), dtype=np.uint32)
    if not infinite:
        if (layer.width, layer.height) != (window.width, window.height):
            size = f"{layer.width} x {layer.height}"
            faults.add(f"the layer has {size} tiles but the map {window.width} x {window.height}", _ADVICE, where)
            return numbers
        return _decoded(layer.data, layer, numbers.size, where, faults).reshape(numbers.shape)
    for raw in layer.chunks:
        chunk = _chunk(raw, layer, faults)
        if chunk is None:
            continue
        tiles = _decoded(chunk.data, layer, chunk.width * chunk.height, where, faults)
        left, top = chunk.x - window.left, chunk.y - window.top
        numbers[top : top + chunk.height, left : left + chunk.width] = tiles.reshape(chunk.height, chunk.width)
    return numbers


def _chunk(raw: msgspec.Raw, layer: Layer, faults: FaultList | None) -> _Chunk | None:
    chunk: _Chunk | None = decode_part(raw, _Chunk, f"layer {layer.name!r}", _ADVICE, faults or FaultList(""))
    return chunk


def _decoded(raw: msgspec.Raw, layer: Layer, count: int, where: str, faults: FaultList) -> Array:
    """Return `count` tile numbers from a list or from base64 text; zeros after recording a fault."""
    nothing = np.zeros(count, dtype=np.uint32)
    if layer.encoding == "base64":
        text = decode_part(raw, str, where, _ADVICE, faults)
        packed = None if text is None else _unpacked(text, layer.compression, 4 * count, where, faults)
        if packed is None:
            return nothing
        numbers = np.frombuffer(packed[: len(packed) // 4 * 4], dtype="<u4")
    else:
        listed = decode_part(raw, list[_Number], where, _ADVICE, faults)
        if listed is None:
            return nothing
        numbers = np.array(listed, dtype=np.uint32)
    if len(numbers) != count:
        faults.add(f"{len(numbers)} tiles are stored, {count} expected", _ADVICE, where)
        return nothing
    return numbers & np.uint32(TILE_BITS)


def _unpacked(text: str, compression: str, size: int, where: str, faults: FaultList) -> bytes | None:
    """Return the bytes of a base64 text, decompressing at most a little more than `size` bytes."""
    if compression not in ("", "zlib", "gzip"):
        advice = "choose CSV, or base64 with zlib, gzip or no compression, in the map's properties"
        faults.add(f"compression {compression!r} is not supported", advice, where)
        return None
    try:
        packed = base64.b64decode(text.strip(), validate=True)
        if not compression:
            return packed
        inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
        return inflate.decompress(packed, size + 4)
    except (binascii.Error, zlib.error, ValueError) as error:
        faults.add(f"the tiles cannot be unpacked: {error}", _ADVICE, where)
        return None
