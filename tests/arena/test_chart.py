"""Charts: every value stands where its axis says, names are escaped, and nothing to draw is an error."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from buraco.arena import CurvePoint, bars_svg, curve_svg

SVG = "{http://www.w3.org/2000/svg}"


def read(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def height_of(picture: ElementTree.Element, value: float) -> float:
    """Return where a value of the axis up is drawn, by the two outermost ticks."""
    names = [one for one in picture.iter(f"{SVG}text") if one.get("class") == "end"][1:]
    lines = [one for one in picture.iter(f"{SVG}line") if one.get("class") in ("grid", "zero")]
    (low, low_y), (high, high_y) = [(float(names[at].text or ""), float(lines[at].get("y1", ""))) for at in (0, -1)]
    return low_y + (high_y - low_y) * (value - low) / (high - low)


def test_a_curve_goes_through_its_points_and_the_band_is_as_wide_as_the_intervals() -> None:
    points = [CurvePoint(0, -50), CurvePoint(100, 20, 10), CurvePoint(300, 120, 30)]
    picture = read(curve_svg(points, "A & B", "deals", "points"))
    dots = [(float(one.get("cx", "")), float(one.get("cy", ""))) for one in picture.iter(f"{SVG}circle")]
    assert [y for _, y in dots] == pytest.approx([height_of(picture, one.y) for one in points], abs=0.1)
    assert (dots[1][0] - dots[0][0]) * 2 == pytest.approx(dots[2][0] - dots[1][0], abs=0.2)
    (band,) = picture.iter(f"{SVG}polygon")
    edges = [float(pair.split(",")[1]) for pair in band.get("points", "").split()]
    wanted = [one.y + one.half_width for one in points] + [one.y - one.half_width for one in reversed(points)]
    assert edges == pytest.approx([height_of(picture, value) for value in wanted], abs=0.1)
    assert [one.text for one in picture.iter(f"{SVG}title")] == ["A & B"]


def test_a_curve_of_one_point_can_be_drawn() -> None:
    picture = read(curve_svg([CurvePoint(7, 0)], "one", "x", "y"))
    assert len(list(picture.iter(f"{SVG}circle"))) == 1


def test_bars_are_as_high_as_their_values_and_stand_on_zero() -> None:
    bars = [("a", 3.0), ("<b>", 0.0), ("c", 12.0)]
    picture = read(bars_svg(bars, "bars", "names", "counts"))
    found = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "block"]
    tops = [float(one.get("y", "")) for one in found]
    assert tops == pytest.approx([height_of(picture, value) for _, value in bars], abs=0.1)
    feet = [top + float(one.get("height", "")) for top, one in zip(tops, found, strict=True)]
    assert feet == pytest.approx([height_of(picture, 0)] * 3, abs=0.15)
    assert [one.text for one in picture.iter(f"{SVG}text") if one.get("class") == "tick"] == ["a", "<b>", "c"]


def test_of_many_bars_some_have_their_name_written_and_all_have_it() -> None:
    picture = read(bars_svg([(str(number), 1.0) for number in range(100)], "many", "x", "y"))
    assert len([one for one in picture.iter(f"{SVG}text") if one.get("class") == "tick"]) <= 12
    assert len(list(picture.iter(f"{SVG}title"))) == 101


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="a point at least"):
        curve_svg([], "none", "x", "y")
    with pytest.raises(ValueError, match="a bar at least"):
        bars_svg([], "none", "x", "y")
    with pytest.raises(ValueError, match="none below 0"):
        bars_svg([("a", -1.0)], "below", "x", "y")
