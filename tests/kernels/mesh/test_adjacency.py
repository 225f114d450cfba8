import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.mesh.adjacency import _rise, _sink, connected_components, weld_points


def _components(count, edges):
    links = sorted([*edges, *((other, one) for one, other in edges)])
    start = np.searchsorted([one for one, _ in links], np.arange(count + 1))
    return connected_components(start, np.array([other for _, other in links], np.int64)).tolist()


def _flooded(count, edges):
    """Label after label, over edges in both directions."""
    label = [-1] * count
    for node in range(count):
        if label[node] < 0:
            waiting, label[node] = [node], max(label) + 1
            while waiting:
                here = waiting.pop()
                for one, other in [*edges, *[edge[::-1] for edge in edges]]:
                    if one == here and label[other] < 0:
                        label[other] = label[node]
                        waiting.append(other)
    return label


def test_components_are_numbered_by_their_lowest_member():
    assert _components(6, [(4, 1), (5, 3), (1, 4)]) == [0, 1, 2, 3, 1, 3]
    assert _components(3, []) == [0, 1, 2]
    assert _components(0, []) == []


def test_an_edge_to_itself_joins_nothing():
    assert _components(2, [(1, 1)]) == [0, 1]


nodes = st.integers(0, 11)


@given(st.lists(st.tuples(nodes, nodes), max_size=20))
def test_components_agree_with_a_flood(edges):
    assert _components(12, edges) == _flooded(12, edges)


def _welded(points, tolerance):
    return weld_points(np.array(points, np.float64).reshape(-1, 2), tolerance).tolist()


def _slowly_welded(points, tolerance):
    """The first earlier point that was kept and lies within the tolerance, in each coordinate."""
    result = []
    for i, (x, y) in enumerate(points):
        kept = [j for j in range(i) if result[j] == j]
        near = [j for j in kept if abs(points[j][0] - x) <= tolerance and abs(points[j][1] - y) <= tolerance]
        result.append(near[0] if near else i)
    return result


def test_a_point_is_welded_to_the_first_one_near():
    assert _welded([(0, 0), (5, 5), (0.01, 0), (5, 5.01), (9, 9)], 0.02) == [0, 1, 0, 1, 4]
    assert _welded([], 0.02) == []


def test_welding_does_not_run_along_a_chain():
    assert _welded([(0, 0), (0.015, 0), (0.03, 0)], 0.02) == [0, 0, 2]


def test_points_on_both_sides_of_a_bucket_are_welded():
    # Buckets are 0.08 wide about multiples of it: their borders lie at 0.04, -0.04, …
    assert _welded([(0.039, -0.039), (0.041, -0.041)], 0.02) == [0, 0]


coordinates = st.integers(-40, 40).map(lambda number: number / 64)


@given(st.lists(st.tuples(coordinates, coordinates), max_size=40), st.sampled_from([1 / 64, 2 / 64, 8 / 64]))
def test_welding_agrees_with_comparing_all(points, tolerance):
    assert _welded(points, tolerance) == _slowly_welded(points, tolerance)


@pytest.mark.parametrize("seed", range(6))
def test_a_heap_gives_its_smallest_first_and_reads_nothing_beyond_its_size(seed):
    random = np.random.default_rng(seed)
    heap, given = np.full(30, -1, np.int64), random.integers(0, 40, 20 + seed).tolist()
    for size, value in enumerate(given):
        heap[size] = value
        _rise(heap, size)
    found = []
    for size in range(len(given) - 1, -1, -1):
        found.append(int(heap[0]))
        heap[0], heap[size] = heap[size], -1
        _sink(heap, size)
    assert found == sorted(given)
