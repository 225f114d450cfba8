"""What holds for every soup, tried on random boxes, slopes and body sizes."""

from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import BakeError
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.voxels.build import walkable_voxels
from lastseen.navmesh.voxels.contours import find_contours
from lastseen.navmesh.voxels.open_spans import find_regions
from lastseen.navmesh.voxels.triangulation import polygonise
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings
from oracles.voxels import require_on_floor, require_true_outlines
from specimens.soups import box, join, plate, ramp

place = st.floats(0.0, 9.0).map(lambda value: round(value, 2))
size = st.floats(0.2, 5.0).map(lambda value: round(value, 2))
rise = st.sampled_from([0.1, 0.3, 0.4, 0.7, 1.5, 2.4, 3.0])
blocks = st.builds(lambda x, y, z, w, d, h: box(x, y, z, x + w, y + d, z + h), place, place, rise, size, size, rise)
standing = st.builds(lambda x, y, w, d, h: box(x, y, -0.5, x + w, y + d, h), place, place, size, size, rise)
slopes = st.builds(
    lambda x, y, w, d, low, high: ramp(x, y, x + w, y + d, low, high), place, place, size, size, rise, rise
)
soups = st.builds(
    lambda parts: join(plate(0, 0, 10, 8), *parts),
    st.lists(st.one_of(blocks, standing, slopes), min_size=1, max_size=7),
)
agents = st.builds(Body, radius=st.sampled_from([0.0, 0.25, 0.5]), climb=st.sampled_from([0.2, 0.4, 0.9]))
settings = st.builds(
    VoxelSettings,
    voxel=st.sampled_from([0.07, 0.1, 0.15, 0.2, 0.25, 0.4]),
    max_edge_error=st.sampled_from([None, 0.0, 0.3, 0.6]),
    max_edge_length=st.sampled_from([0.0, 3.0]),
    min_region_area=st.just(0.5),
    height_error=st.sampled_from([0.05, 0.2]),
    max_corners=st.sampled_from([3, 6, 10]),
)


@given(soups, agents, settings)
def test_whatever_the_soup(soup, body, setting):
    try:
        regions = find_regions(walkable_voxels(soup, body, setting))
    except BakeError:
        return
    contours = find_contours(regions)
    require_true_outlines(contours, regions)
    faces = polygonise(contours, regions)
    mesh = assemble(faces.vertices_xyz, faces.face_start, faces.corners, body=body, barred=faces.barred)
    assert mesh.face_count == len(faces.face_start) - 1
    assert mesh.arrays.face_count.max() <= setting.max_corners
    outlined = shapely.area(contours.polygons).sum() * setting.voxel**2
    assert np.isclose(mesh.face_area.sum(), outlined, rtol=1e-9)
    require_on_floor(mesh, regions)
    # What was in one piece as voxels is in one piece as faces, and nothing else.
    assert len(set(mesh.face_component)) == islands(regions)


def islands(regions):
    """Return the number of connected sets of open spans."""
    link = regions.spans.link
    parent = list(range(len(link)))

    def root(s):
        while parent[s] != s:
            parent[s] = parent[parent[s]]
            s = parent[s]
        return s

    for s, beside in enumerate(link.tolist()):
        for n in beside:
            if n >= 0:
                parent[root(s)] = root(n)
    return len({root(s) for s in range(len(link))})
