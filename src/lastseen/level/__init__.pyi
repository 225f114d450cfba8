from .check import find_faults as find_faults
from .features import (
    Door as Door,
    HidingPlace as HidingPlace,
    IntendedPath as IntendedPath,
    Marker as Marker,
    Obstacle as Obstacle,
    Patrol as Patrol,
    PatrolStop as PatrolStop,
    Spawn as Spawn,
    Trap as Trap,
    Zone as Zone,
)
from .level import (
    ConvexFaces as ConvexFaces,
    Floor as Floor,
    Floors as Floors,
    Level as Level,
    Platform as Platform,
    TileFloor as TileFloor,
    Tiles as Tiles,
    TriangleSoup as TriangleSoup,
)
from .read import inspect_level as inspect_level, parse_level as parse_level, read_level as read_level
from .samples import SAMPLES as SAMPLES, sample as sample
from .sight.query import (
    Hits as Hits,
    first_hit as first_hit,
    sees as sees,
    sees_any as sees_any,
    sees_each as sees_each,
    visible_area as visible_area,
    visible_areas as visible_areas,
)
from .sight.sight import Sight as Sight
from .write import to_geojson as to_geojson, write_level as write_level
from .gram_scene import to_gram as to_gram, write_gram as write_gram
