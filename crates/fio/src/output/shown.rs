//! Which directions of a job are shown: each by itself, all of them as one, or both.

use cardiograph_core::Direction;
use cardiograph_core::display::Unified;

use super::run::{DirectionFigures, JobEntry};

/// A direction, or all that move data together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// One.
    One(Direction),
    /// Reads, writes and trims as if they were of one kind.
    Mixed,
}

/// All of them, in the order of the output.
pub(super) const WAYS: [Way; 4] =
    [Way::One(Direction::Read), Way::One(Direction::Write), Way::One(Direction::Trim), Way::Mixed];

impl Way {
    /// As fio calls it.
    pub fn name(self) -> &'static str {
        match self {
            Way::One(direction) => direction.name(),
            Way::Mixed => "mixed",
        }
    }
}

impl JobEntry {
    /// The figures of what is shown of the job, syncs left out.
    pub(super) fn shown(&self) -> impl Iterator<Item = (Way, &DirectionFigures)> {
        WAYS.into_iter().filter_map(|way| Some((way, self.figures(way)?)))
    }

    /// The figures of a way; `None` when the job does not show it.
    pub(super) fn figures(&self, way: Way) -> Option<&DirectionFigures> {
        match (way, self.style.unified) {
            (Way::One(_), Unified::Mixed) | (Way::Mixed, Unified::No) => None,
            (Way::One(direction), _) => Some(&self.directions[direction]),
            (Way::Mixed, _) => self.mixed.as_ref(),
        }
    }
}
