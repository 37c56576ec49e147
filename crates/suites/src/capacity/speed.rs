//! The speed over the whole capacity, from a full proof.

use cardiograph_core::message::Parameter;
use cardiograph_core::report::{StepOutcome, StepResult};
use cardiograph_core::table::{Cell, CellUnit, Table};
use cardiograph_core::{Direction, Estimate, Message, NS_PER_S, Series, message};

use super::plan::{Proof, ProofKind, Turn};
use crate::suite::Context;
use crate::tabulate::{absent, column, row};

/// Reason for a missing figure.
const NOT_READ_BACK: Message = message!("table-capacity.not-read-back");
/// Most rows of the table.
const ROWS_MAX: usize = 16;

/// Data transferred in some parts.
#[derive(Debug, Clone, Default)]
struct Moved {
    bytes: u64,
    ns: u64,
    /// The slowest whole second, in bytes per second.
    slowest: Option<f64>,
    step: String,
}

impl Moved {
    fn take(&mut self, step: &StepResult, direction: Direction) {
        let Some(result) = &step.result else { return };
        let merged = result.merged(|_| true);
        self.bytes += merged[direction].bytes;
        self.ns += merged[direction].runtime_ns;
        let series: Series = result.series();
        // In a step of hours, windows are longer than the second that the table names.
        let seconds = series.coarser(NS_PER_S.div_ceil(series.window_ns.max(1)) as usize);
        let speeds = (series.window_ns <= NS_PER_S).then(|| seconds.bandwidth_bytes_per_s(direction));
        let slowest = speeds.into_iter().flatten().reduce(f64::min);
        self.slowest = [self.slowest, slowest].into_iter().flatten().reduce(f64::min);
        self.step.clone_from(&step.step.id);
    }

    fn mean(&self, why: Message) -> Cell {
        match self.ns {
            0 => absent(why),
            ns => self.figure(self.bytes as f64 * NS_PER_S as f64 / ns as f64),
        }
    }

    fn slowest(&self) -> Cell {
        self.slowest
            .map_or_else(|| absent(message!("table-capacity.no-second")), |slowest| self.figure(slowest))
    }

    fn figure(&self, value: f64) -> Cell {
        Cell::Figure { estimate: Estimate::exact(value), step: self.step.clone(), doubt: None }
    }
}

/// Speeds and bad blocks by position; `None` for a sample, and before anything was written.
pub(super) fn table(context: &Context<'_>, done: &[StepResult]) -> Option<Table> {
    let proof = Proof::from_context(context).ok()?;
    let ProofKind::Full { whole, .. } = &proof.kind else { return None };
    let parts = proof.parts();
    let in_row = (parts as usize).div_ceil(ROWS_MAX).max(1) as u32;
    let step_of_turn = |turn: Turn| {
        done.iter().find(|step| proof.turn(&step.step) == Some(turn) && step.outcome == StepOutcome::Done)
    };
    let rows = (0..parts).step_by(in_row as usize).map(|first| {
        let last = (first + in_row).min(parts) - 1;
        let (mut written, mut read, mut wrong) = (Moved::default(), Moved::default(), None);
        for part in first..=last {
            step_of_turn(Turn::Write(part)).into_iter().for_each(|step| written.take(step, Direction::Write));
            if let Some(step) = step_of_turn(Turn::Read(part)) {
                read.take(step, Direction::Read);
                let workers = step.result.iter().flat_map(|result| &result.workers);
                let bad =
                    workers.filter_map(|worker| worker.verified.as_ref()).map(|verified| verified.bad_blocks);
                *wrong.get_or_insert(0) += bad.sum::<u64>();
            }
        }
        let until = proof.part_start_bytes(last) + proof.part_len_bytes(last);
        let name = message!(
            "table-capacity.place",
            from = Parameter::CapacityBytes(proof.part_start_bytes(first)),
            to = Parameter::CapacityBytes(until)
        );
        let unwritten = match whole.contains(&first) {
            true => message!("table-capacity.written-before"),
            false => message!("table-capacity.not-written"),
        };
        let wrong = wrong.map_or_else(|| absent(NOT_READ_BACK), |blocks| read.figure(blocks as f64));
        row(name, vec![written.mean(unwritten), written.slowest(), read.mean(NOT_READ_BACK), wrong])
    });
    let rows: Vec<_> = rows.collect();
    (!done.is_empty()).then(|| Table {
        title: message!("table-capacity.title"),
        heading: message!("table-heading.place"),
        columns: vec![
            column(message!("table-heading.written"), CellUnit::MegabytesPerSecond),
            column(
                message!("table-heading.slowest", window = Parameter::DurationNs(NS_PER_S)),
                CellUnit::MegabytesPerSecond,
            ),
            column(message!("table-capacity.read-back"), CellUnit::MegabytesPerSecond),
            column(message!("table-capacity.wrong-blocks"), CellUnit::Count),
        ],
        rows,
        notes: if proof.ground.is_device { Vec::new() } else { vec![message!("table-capacity.order")] },
    })
}
