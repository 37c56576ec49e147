//! The steps that write, and those that read back.

use cardiograph_core::message::Parameter;
use cardiograph_core::report::{Step, StepResult, StepRole, TestFile, Work};
use cardiograph_core::{Direction, GIB, JobSpec, KIB, MIB, Message, message};

use super::ground::Ground;
use super::miss::{CELL_BYTES, Sample};
use super::{NAME, PROOF, TIME};
use crate::next_step::{NextStep, Part, Sequence, went_well};
use crate::suite::{Context, Outline, OutlineStep};
use crate::text;

/// Length of a write of the full proof, in bytes. Part lengths are multiples of it.
pub(super) const WRITE_BYTES: u64 = MIB;
/// Length of a stamped block, in bytes.
pub(super) const BLOCK_BYTES: u64 = 4_096;
/// Number of parts of the full proof, unless their length would be out of bounds.
const PARTS: u64 = 64;
const PART_BYTES_MIN: u64 = 16 * MIB;
/// The longest file on FAT, in whole MiB.
const PART_BYTES_MAX: u64 = 4 * GIB - MIB;

/// The plan of a checkup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proof {
    pub ground: Ground,
    pub kind: ProofKind,
}

/// The extent of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProofKind {
    /// Random cells.
    Sample {
        sample: Sample,
        /// Time limit of the writing, in nanoseconds.
        time_ns_max: u64,
    },
    /// All of the free space.
    Full {
        part_bytes: u64,
        /// Numbers, from 0, of the parts that an interrupted checkup has written.
        whole: Vec<u32>,
    },
}

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Write(u32),
    Read(u32),
}

impl Proof {
    /// The plan for the target.
    ///
    /// # Errors
    /// Why nothing can be tested, with a suggestion.
    pub fn from_context(context: &Context<'_>) -> Result<Self, Vec<Message>> {
        let ground = Ground::from_context(context)?;
        let settings = &context.options.settings;
        let kind = if settings.text(&PROOF) == "full" {
            if settings.is_given(&TIME) {
                return Err(vec![message!("note-capacity.time-of-full", time = settings.text(&TIME))]);
            }
            let kept = context.options.kept.as_ref();
            let even = ground.tested_bytes.div_ceil(PARTS).next_multiple_of(WRITE_BYTES);
            let part_bytes = even.clamp(PART_BYTES_MIN, PART_BYTES_MAX);
            ProofKind::Full {
                part_bytes: kept.map_or(part_bytes, |kept| kept.part_bytes),
                whole: kept.map(|kept| kept.whole.clone()).unwrap_or_default(),
            }
        } else if !ground.makes_room {
            return Err(vec![message!("note-capacity.no-sample", file_system = ground.fs_type)]);
        } else {
            let sample = Sample::wanted(ground.tested_bytes, ground.claimed_bytes);
            ProofKind::Sample { sample, time_ns_max: settings.time_ns(&TIME).unwrap_or(u64::MAX) }
        };
        Ok(Self { ground, kind })
    }

    /// Number of parts; 1 in a sample.
    pub fn parts(&self) -> u32 {
        match &self.kind {
            ProofKind::Sample { .. } => 1,
            ProofKind::Full { part_bytes, .. } => {
                u32::try_from(self.ground.tested_bytes.div_ceil(*part_bytes)).unwrap_or(u32::MAX)
            }
        }
    }

    /// Offset of a part in the whole tested range, in bytes.
    pub fn part_start_bytes(&self, part: u32) -> u64 {
        match &self.kind {
            ProofKind::Sample { .. } => 0,
            ProofKind::Full { part_bytes, .. } => u64::from(part) * part_bytes,
        }
    }

    /// Offset of a part's file in the whole tested range, in bytes: on a device, all parts are in one file.
    pub fn file_start_bytes(&self, part: u32) -> u64 {
        if self.ground.is_device { 0 } else { self.part_start_bytes(part) }
    }

    /// Length of a part, in bytes.
    pub fn part_len_bytes(&self, part: u32) -> u64 {
        match &self.kind {
            ProofKind::Sample { .. } => self.ground.tested_bytes,
            ProofKind::Full { part_bytes, .. } => {
                (*part_bytes).min(self.ground.tested_bytes.saturating_sub(self.part_start_bytes(part)))
            }
        }
    }

    /// Whether an earlier checkup has written a part.
    pub fn is_whole(&self, part: u32) -> bool {
        match &self.kind {
            ProofKind::Full { whole, .. } => whole.contains(&part),
            ProofKind::Sample { .. } => false,
        }
    }

    /// Whether other programs could write to a part after it was filled: it is not in a file of the checkup.
    pub fn is_open_to_others(&self, part: u32) -> bool {
        self.ground.is_device && self.is_whole(part)
    }

    fn turns(&self) -> Vec<Turn> {
        let writes = (0..self.parts()).filter(|&part| !self.is_whole(part)).map(Turn::Write);
        writes.chain((0..self.parts()).map(Turn::Read)).collect()
    }

    /// The turn of a step of this proof.
    pub fn turn(&self, step: &Step) -> Option<Turn> {
        self.turns().into_iter().find(|&turn| self.id(turn) == step.id)
    }

    fn id(&self, turn: Turn) -> String {
        match (&self.kind, turn) {
            (ProofKind::Sample { .. }, Turn::Write(_)) => "write".to_string(),
            (ProofKind::Sample { .. }, Turn::Read(_)) => "read".to_string(),
            (ProofKind::Full { .. }, Turn::Write(part)) => format!("fill-{}", part + 1),
            (ProofKind::Full { .. }, Turn::Read(part)) => format!("read-{}", part + 1),
        }
    }

    /// The step after `done`.
    pub fn next(&self, done: &[StepResult]) -> Option<NextStep> {
        if !went_well(done) {
            return None;
        }
        let turn = *self.turns().get(done.len())?;
        let drawn = match (&self.kind, turn) {
            // The time limit may have ended the writing early.
            (ProofKind::Sample { .. }, Turn::Read(_)) => Some(written_ios(done).filter(|&ios| ios > 0)?),
            _ => None,
        };
        Some(NextStep { sequence: Some(self.sequence(turn)), ..self.step(turn, drawn).into() })
    }

    /// The file of a part.
    fn file(&self, part: u32) -> TestFile {
        match self.kind {
            ProofKind::Full { .. } if !self.ground.is_device => TestFile {
                name: format!("cardiograph-capacity.{part}.tmp"),
                len_bytes: self.part_len_bytes(part),
            },
            _ => {
                TestFile { name: "cardiograph-capacity.tmp".to_string(), len_bytes: self.ground.tested_bytes }
            }
        }
    }

    fn step(&self, turn: Turn, drawn: Option<u64>) -> Step {
        let id = self.id(turn);
        let (Turn::Write(part) | Turn::Read(part)) = turn;
        let len_bytes = self.part_len_bytes(part);
        let file = self.file(part);
        let offset_bytes = self.part_start_bytes(part) - self.file_start_bytes(part);
        let job = JobSpec::for_step(NAME, &id)
            .set("filename", file.name.as_str())
            .set("size", text::option_bytes(len_bytes))
            .set("ioengine", "io_uring")
            .set("iodepth", 4)
            .set("direct", 1);
        let job = match offset_bytes {
            0 => job,
            bytes => job.set("offset", text::option_bytes(bytes)),
        };
        let (job, write_bytes) = match &self.kind {
            ProofKind::Sample { sample, time_ns_max } => {
                let job = job
                    .set("rw", "randwrite")
                    .set("bs", text::option_bytes(CELL_BYTES))
                    // Other offsets in each checkup, but the same in both steps of one.
                    .set("randrepeat", 0)
                    .set("number_ios", drawn.unwrap_or(sample.drawn));
                let job = match turn {
                    Turn::Write(_) => job.set("runtime", text::option_time(*time_ns_max)),
                    Turn::Read(_) => job,
                };
                (job, sample.drawn * CELL_BYTES)
            }
            ProofKind::Full { .. } => {
                let job = job.set("rw", "write").set("bs", text::option_bytes(WRITE_BYTES));
                (job, len_bytes)
            }
        };
        let job = job.set("verify", "crc32c").set("verify_interval", text::option_bytes(BLOCK_BYTES));
        let (job, write_bytes_max, time_ns_max) = match turn {
            Turn::Write(_) => {
                let time_ns_max = match self.kind {
                    ProofKind::Sample { time_ns_max, .. } => Some(time_ns_max),
                    ProofKind::Full { .. } => None,
                };
                (job.set("do_verify", 0).set("end_fsync", 1), write_bytes, time_ns_max)
            }
            // Continue after bad blocks, to measure how much a fake holds.
            Turn::Read(_) => (job.set("verify_only", 1).set("continue_on_error", "verify"), 0, None),
        };
        Step {
            id,
            title: self.title(turn),
            role: StepRole::Prepare,
            work: Work::Jobs(vec![job]),
            files: vec![file],
            write_bytes_max,
            time_ns_max,
            ..Step::default()
        }
    }

    fn title(&self, turn: Turn) -> Message {
        let block = Parameter::BlockBytes(CELL_BYTES);
        let parts = self.parts();
        match (&self.kind, turn) {
            (ProofKind::Sample { .. }, Turn::Write(_)) => message!("step-capacity.write-places", block),
            (ProofKind::Sample { .. }, Turn::Read(_)) => message!("step-capacity.read-places", block),
            (ProofKind::Full { .. }, Turn::Write(part)) => {
                message!("step-capacity.fill", part = part + 1, parts)
            }
            (ProofKind::Full { .. }, Turn::Read(part)) => {
                message!("step-capacity.read", part = part + 1, parts)
            }
        }
    }

    /// The sequence of a step's stamped blocks.
    fn sequence(&self, turn: Turn) -> Sequence {
        let (Turn::Write(part) | Turn::Read(part)) = turn;
        Sequence {
            first_write: self.part_start_bytes(part) / WRITE_BYTES,
            part: match &self.kind {
                ProofKind::Sample { .. } => None,
                ProofKind::Full { part_bytes, whole } => {
                    Some(Part { number: part, part_bytes: *part_bytes, is_there: whole.contains(&part) })
                }
            },
        }
    }

    /// Upper bounds of what would be run and written.
    pub fn outline(&self) -> Outline {
        let steps: Vec<OutlineStep> =
            self.turns().into_iter().map(|turn| self.step(turn, None).into()).collect();
        let written_bytes: u64 = match &self.kind {
            ProofKind::Sample { .. } => 0,
            ProofKind::Full { whole, .. } => whole.iter().map(|&part| self.part_len_bytes(part)).sum(),
        };
        Outline {
            write_bytes_max: steps.iter().map(|step| step.write_bytes_max).sum(),
            file_bytes_max: self.ground.tested_bytes.saturating_sub(written_bytes),
            time_ns_max: None,
            notes: self.notes(written_bytes),
            steps,
            needs: Vec::new(),
        }
    }

    /// Notes for the user before the start.
    fn notes(&self, written_bytes: u64) -> Vec<Message> {
        let ground = &self.ground;
        let mut notes = Vec::new();
        if !ground.is_device {
            let bytes = Parameter::CapacityBytes(ground.tested_bytes);
            notes.push(message!("note-capacity.takes-space", bytes));
        }
        match &self.kind {
            ProofKind::Sample { sample, time_ns_max } => {
                notes.push(message!(
                    "note-capacity.sample",
                    block = Parameter::BlockBytes(CELL_BYTES),
                    places = sample.drawn,
                    most = Parameter::DurationNs(*time_ns_max)
                ));
                if ground.is_device {
                    let bytes = Parameter::Bytes(sample.drawn * (CELL_BYTES + KIB));
                    notes.push(message!("note-capacity.saved", bytes));
                }
            }
            ProofKind::Full { .. } if ground.is_device && written_bytes == 0 => {
                notes.push(message!("note-capacity.overwrites"));
            }
            ProofKind::Full { .. } if written_bytes > 0 => {
                notes.push(message!("note-capacity.resumed", bytes = Parameter::Bytes(written_bytes)));
            }
            ProofKind::Full { .. } => {}
        }
        if ground.untested_bytes() >= MIB && !ground.is_device {
            let claimed = Parameter::CapacityBytes(ground.claimed_bytes);
            notes.push(message!(
                "note-capacity.other-files",
                free = Parameter::CapacityBytes(ground.tested_bytes),
                claimed
            ));
        }
        notes
    }
}

/// Number of completed writes of a sample.
pub(super) fn written_ios(done: &[StepResult]) -> Option<u64> {
    let result = done.iter().find(|step| step.step.id == "write")?.result.as_ref()?;
    Some(result.merged(|_| true)[Direction::Write].ios)
}
