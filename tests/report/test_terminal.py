"""Topics on the terminal: one line each that fits, with a chart of its use."""

from __future__ import annotations

import io

import numpy as np
from rich.console import Console

from tests.posterior.synthetic import make_clock, make_draw, make_posterior
from tests.report.made_up import WORDS, MadeUpTopics
from wfibp.report.terminal import BLOCKS, CHART_WIDTH, PLAIN_BLOCKS, Sparkline, feature_table, resample


def printed(renderable, width=100, **options) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width, **options).print(renderable)
    return stream.getvalue().splitlines()


def test_every_topic_has_a_line_with_its_words_its_life_and_its_peak():
    title, *lines = printed(feature_table(MadeUpTopics()), width=110)
    assert title.split() == ["topic", "1790", "2018", "from", "to", "peak", "docs", "words"]
    assert len(lines) == len(WORDS)
    assert lines[0].split()[-11:-7] == ["1853", "1868", "19.4%", "44%"]
    assert lines[0].split()[-7:] == ["war", "army", "troops", "soldiers", "enemy", "victory", "battle"]
    assert "start" in lines[1]
    assert "end" in lines[3]


def test_a_narrow_terminal_shortens_the_words_and_nothing_else():
    for line in printed(feature_table(MadeUpTopics()), width=70)[1:]:
        assert len(line) <= 70
        assert "%" in line


def test_only_some_features_are_shown_if_so_wanted():
    _, *lines = printed(feature_table(MadeUpTopics(), chosen=[4, 2]))
    assert [line.split()[0] for line in lines] == ["4", "2"]


def test_a_topic_is_drawn_where_it_is_in_use():
    """A tenth of the highest share: the war of 1861 is over at both ends of the chart."""
    _, war, *_ = printed(feature_table(MadeUpTopics()))
    assert war[len("topic") + 2 :].startswith(" " * 6)
    assert war.count(BLOCKS[-1]) == 1


def test_words_that_look_like_markup_stay_words():
    topics = {"[bold]loud[/bold] [red] \x1b[31mred": (1850.0, 0.5, 20.0)}
    (_, line) = printed(feature_table(MadeUpTopics(topics)))
    assert "[bold]loud[/bold]" in line
    assert "\x1b" not in line


def test_the_highest_value_is_a_full_block_and_absence_a_gap():
    assert Sparkline(np.array([np.nan, 0.0, 0.25, 0.5])).draw() == f" {BLOCKS[0]}{BLOCKS[4]}{BLOCKS[7]}"
    assert Sparkline(np.full(3, np.nan)).draw() == "   "
    assert Sparkline(np.zeros(2)).draw() == BLOCKS[0] * 2


def test_a_terminal_without_blocks_gets_plain_characters():
    class AsciiStream(io.StringIO):
        encoding = "ascii"

    stream = AsciiStream()
    Console(file=stream, width=40).print(Sparkline(np.array([0.0, 1.0])))
    assert stream.getvalue().strip() == PLAIN_BLOCKS[0] + PLAIN_BLOCKS[-1]


def test_a_chart_keeps_the_highest_value_of_each_part_of_the_span():
    times = np.array([0.0, 1.0, 2.0, 9.0, 10.0])
    values = np.array([0.1, 0.9, np.nan, 0.3, 0.2])
    np.testing.assert_array_equal(resample(values, times, 5), [0.9, np.nan, np.nan, 0.3, 0.3])
    np.testing.assert_array_equal(resample(np.array([0.4]), np.array([3.0]), 3), [0.4, 0.4, 0.4])
    assert resample(values, times).size == CHART_WIDTH


def test_features_without_words_have_a_line_too(tmp_path):
    clock = make_clock()
    draws = [make_draw(clock, [0, 1], [[3.0, 0.0], [0.0, 3.0]]) for _ in range(5)]
    title, *lines = printed(feature_table(make_posterior(tmp_path / "run", clock, [draws])))
    assert title.split() == ["feature", "0", "1", "born", "died", "peak"]
    assert [line.split()[-3:] for line in lines] == [["earlier", "alive", "50%"]] * 2


def test_a_fixed_number_of_features_has_no_births(tmp_path):
    clock = make_clock()
    draws = [make_draw(clock, [0], [[3.0, 0.0]], mu=0.5) for _ in range(5)]
    (_, line) = printed(feature_table(make_posterior(tmp_path / "run", clock, [draws])))
    assert line.split()[-3:] == ["–", "–", "50%"]
