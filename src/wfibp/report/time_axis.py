"""When is a time, as people write it, and which times stand on an axis?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from wfibp.checks import Floats
from wfibp.corpus import Calendar
from wfibp.posterior import Posterior
from wfibp.posterior.time_labels import TimeLabels
from wfibp.report.spacing import spread_over

DIGITS = 3  # of the span: a time within 0 to 2 is written as 1.37


@dataclass(frozen=True, eq=False)
class TimeAxis:
    """The times of the data (T,), and the calendar that writes them."""

    times: Floats
    calendar: Calendar

    @property
    def labels(self) -> tuple[str, ...]:
        """(T,) of the times of the data."""
        return TimeLabels(self.calendar, self.times).all

    @property
    def are_numbers(self) -> bool:
        """Whether a number on the axis can be read as it is, as years can; days since 1970 cannot."""
        return self.calendar.unit != "day"

    @property
    def span(self) -> str:
        """From when to when."""
        return self.calendar.span(self.times)

    def write(self, time: float) -> str:
        """Any time: the period that it falls in, or a number with as many digits as suit the span."""
        if self.calendar.unit is not None or self.calendar.resolution is not None:
            return TimeLabels(self.calendar, self.times).write([time])[0]
        length = max(float(np.ptp(self.times)), 1e-9)
        return f"{time:.{max(0, DIGITS - 1 - math.floor(math.log10(length)))}f}"

    def ticks(self, most: int = 7) -> tuple[Floats, list[str]]:
        """A few of the times of the data, for an axis whose labels are no numbers."""
        places = spread_over(self.times.size, most)
        return self.times[places], [self.labels[place] for place in places]


def time_axis(posterior: Posterior) -> TimeAxis:
    """The times of the run's data."""
    return TimeAxis(posterior.times, posterior.calendar or Calendar())
