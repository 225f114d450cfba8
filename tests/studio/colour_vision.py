"""Colour differences (CIEDE2000) and three kinds of colour blindness, for tests of what the page shows."""

from __future__ import annotations

import numpy as np

SEEN_AS = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Linear RGB as seen, by kind of vision: Machado, Oliveira and Fernandes 2009, severity 1."""
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def lab(rgb: object, vision: str = "usual") -> np.ndarray:
    """Return colours (n, 3) of bytes as CIELAB (n, 3), as seen."""
    share = np.asarray(rgb, float) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ SEEN_AS[vision].T, 0.0, 1.0) @ _XYZ.T / _WHITE
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def ciede2000(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the difference of CIELAB colours (Sharma, Wu and Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = (
        np.moveaxis(np.asarray(one, float), -1, 0),
        np.moveaxis(np.asarray(other, float), -1, 0),
    )
    mean = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    grow = 1.5 - 0.5 * np.sqrt(mean / (mean + 25.0**7))
    c1, c2 = np.hypot(a1 * grow, b1), np.hypot(a2 * grow, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * grow)) % 360 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0
    turn = np.where(grey, 0.0, (h2 - h1 + 180) % 360 - 180)
    hue = np.where(grey, h1 + h2, (h1 + turn / 2) % 360)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    cos = [np.cos(np.radians(times * hue - off)) for times, off in ((1, 30), (2, 0), (3, -6), (4, 63))]
    t = 1 - 0.17 * cos[0] + 0.24 * cos[1] + 0.32 * cos[2] - 0.20 * cos[3]
    dl = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    spin = np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(spin)
    return np.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)
