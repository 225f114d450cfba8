"""Polylines runners run along: grown leg by leg for many episodes at once, then sampled in time."""

from __future__ import annotations

import numpy as np

from ...conventions import Floats

__all__ = ["Ways"]


class Ways:
    """One polyline per episode, grown at its end.

    Attributes
    ----------
    length : (n,) metres so far.
    """

    def __init__(self, starts_xyz: Floats):
        self._points = [[start] for start in np.asarray(starts_xyz, np.float64)]
        self.length = np.zeros(len(starts_xyz))

    def __len__(self) -> int:
        return len(self._points)

    def ends(self, rows: np.ndarray) -> Floats:
        """(k, 3): where the polylines of some episodes end."""
        return np.array([self._points[row][-1] for row in rows.tolist()]).reshape(-1, 3)

    def headings(self, rows: np.ndarray) -> Floats:
        """(k, 2): unit direction of the last leg; zeros where there is none."""
        found = np.zeros((len(rows), 2))
        for k, row in enumerate(rows.tolist()):
            if len(self._points[row]) > 1:
                leg = (self._points[row][-1] - self._points[row][-2])[:2]
                found[k] = leg / max(float(np.hypot(*leg)), 1e-12)
        return found

    def back(self, rows: np.ndarray, metres: Floats) -> Floats:
        """(k, 3): the place so many metres before the end, at most the start."""
        return np.array([self._at(row, self.length[row] - m) for row, m in zip(rows.tolist(), metres.tolist())])

    def grow(self, row: int, points: Floats, most: float = np.inf) -> None:
        """Add points to one polyline, at most so many metres of them; points on the spot are left out."""
        line = self._points[row]
        for point in points:
            leg = float(np.linalg.norm(point - line[-1]))
            if leg < 1e-6:
                continue
            if leg >= most:
                line.append(line[-1] + (point - line[-1]) * (most / leg))
                self.length[row] += most
                return
            line.append(point)
            self.length[row] += leg
            most -= leg

    def _at(self, row: int, metres: float) -> Floats:
        """Walk backwards from the end: what is asked for lies near it."""
        line, left = self._points[row], self.length[row] - max(metres, 0.0)
        for k in range(len(line) - 1, 0, -1):
            leg = float(np.linalg.norm(line[k] - line[k - 1]))
            if leg >= left:
                return line[k] + (line[k - 1] - line[k]) * (left / leg)
            left -= leg
        return line[0]

    def sample(self, metres: Floats, rows: np.ndarray | None = None) -> Floats:
        """(k, t, 3): where polylines (all, or those of some rows) are at `metres` (k, t) from their start.

        They are held at both ends.
        """
        found = np.empty((*metres.shape, 3))
        lines = self._points if rows is None else [self._points[row] for row in rows.tolist()]
        for row, line in enumerate(lines):
            points = np.array(line)
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
            for axis in range(3):
                found[row, :, axis] = np.interp(metres[row], along, points[:, axis])
        return found
