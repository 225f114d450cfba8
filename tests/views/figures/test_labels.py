import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from lastseen.views.figures.drawing.text import LabelPlacer, font, printable


@given(st.text(max_size=80))
def test_any_name_becomes_printable(name):
    words = printable(name)
    assert len(words) <= 60
    assert all(letter in "·…°" or 32 <= ord(letter) < 127 for letter in words)
    font(13).getbbox(words)


def test_accents_are_dropped_and_other_letters_marked():
    assert printable("Größe m²") == "Gro?e m2"
    assert printable("a" * 70).endswith("…")


def test_labels_never_overlap_and_what_has_no_room_is_left_out():
    image = Image.new("RGB", (120, 60))
    placer = LabelPlacer(ImageDraw.Draw(image), *image.size)
    placed = [placer.place(60, 30, "guard post", gap=8) for _ in range(8)]
    assert placed[0]
    assert not placed[-1]
    assert 1 <= sum(placed) <= 4


def test_a_label_keeps_off_signs_and_inside_the_frame():
    image = Image.new("RGB", (60, 30))
    placer = LabelPlacer(ImageDraw.Draw(image), *image.size)
    placer.keep_free(30, 15, 40)
    assert not placer.place(30, 15, "x")
    assert not LabelPlacer(ImageDraw.Draw(image), *image.size).place(30, 15, "much too long for this picture")


def test_a_label_is_written_off_walls_where_it_can_be():
    def written(walls):
        image = Image.new("RGB", (160, 60), (255, 255, 255))
        assert LabelPlacer(ImageDraw.Draw(image), *image.size, walls=walls).place(80, 30, "closet", gap=8)
        rows, columns = np.nonzero((np.asarray(image) < 128).any(axis=2))
        return columns.min(), columns.max(), rows.min(), rows.max()

    nowhere, right, everywhere = np.zeros((60, 160), bool), np.zeros((60, 160), bool), np.ones((60, 160), bool)
    right[:, 90:] = True
    assert written(None)[0] > 80
    assert written(nowhere)[0] > 80
    assert written(right)[1] < 80
    assert written(everywhere)[0] > 80
