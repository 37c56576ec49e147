//! Which directions of a job to show: each by itself, all as one, or both.

use cardiograph_core::Direction;
use cardiograph_core::display::Unified;

use super::run::{DirectionFigures, JobEntry};

/// A direction, or all data directions together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// One.
    One(Direction),
    /// Reads, writes and trims combined.
    Mixed,
}

/// All ways, in output order.
pub(super) const WAYS: [Way; 4] =
    [Way::One(Direction::Read), Way::One(Direction::Write), Way::One(Direction::Trim), Way::Mixed];

impl Way {
    /// fio's name.
    pub fn name(self) -> &'static str {
        match self {
            Way::One(direction) => direction.name(),
            Way::Mixed => "mixed",
        }
    }
}

impl JobEntry {
    /// The shown figures of the job, without syncs.
    pub(super) fn shown(&self) -> impl Iterator<Item = (Way, &DirectionFigures)> {
        WAYS.into_iter().filter_map(|way| Some((way, self.figures(way)?)))
    }

    /// The figures of `way`; `None` if the job does not show it.
    pub(super) fn figures(&self, way: Way) -> Option<&DirectionFigures> {
        match (way, self.style.unified) {
            (Way::One(_), Unified::Mixed) | (Way::Mixed, Unified::No) => None,
            (Way::One(direction), _) => Some(&self.directions[direction]),
            (Way::Mixed, _) => self.mixed.as_ref(),
        }
    }
}
