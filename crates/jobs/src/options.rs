//! The options of a job: names, aliases, types, units, defaults, ranges, help, and what becomes of each here.
//!
//! This table is the only truth about job options: every option that fio knows by name has a row. The resolver refuses
//! what is not in it, and help and documentation are printed from it. Names and meanings are fio's, so that a JobSpec
//! can be printed as a fio command line. The rows stand in one file for each group.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

mod block;
mod depth;
mod engine;
mod engine_names;
mod errors;
mod file;
mod foreign;
mod io_type;
mod jobs;
mod kind;
mod log;
mod process;
mod rate;
mod replay;
mod report;
mod row;
mod spelling;
mod steady;
mod time;
mod verify;
mod zone;

pub use engine_names::{ENGINES, EngineDef, engine, engine_name, engines_here, find_engine};
pub use io_type::RW_WORDS;
pub use kind::OptionKind;
pub(crate) use log::LOG_CLOCKS;
pub use row::{OptionDef, WordStatus};
pub use spelling::SPELLING_CLASSES;

/// What an option changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionEffect {
    /// The I/O that is done, or how it is measured.
    Workload,
    /// Only what is shown of it.
    Display,
}

/// What becomes of an option, an engine or a word of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It does what fio's does.
    Works {
        /// The test that sees its effect on the I/O or on the output.
        test: &'static str,
    },
    /// It is accepted with a note. It changes nothing that is measured.
    Hint {
        /// Why nothing changes.
        why: &'static str,
    },
    /// It is refused: it cannot work here.
    Refused {
        /// Why, and what to do instead.
        why: &'static str,
    },
}

/// Which options are listed together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionGroup {
    /// Jobs, their clones, and when they begin and end.
    Jobs,
    /// Direction and order of the I/O, and how it is made durable.
    IoType,
    /// Length and content of the blocks.
    Block,
    /// Files, their names and lengths.
    File,
    /// How I/O is executed.
    Engine,
    /// How many I/Os are in flight.
    Depth,
    /// Limits of speed and latency.
    Rate,
    /// How long a job runs.
    Time,
    /// Checking what was written.
    Verify,
    /// Ending when the speed has settled.
    Steady,
    /// What the output shows.
    Report,
    /// Files with the course of a run.
    Log,
    /// CPUs, priorities, users.
    Process,
    /// What happens after an error.
    Errors,
    /// Zones.
    Zone,
    /// Recording and replaying I/O.
    Replay,
    /// Options of engines that are not here.
    Foreign,
}

impl OptionGroup {
    /// A heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Jobs => "Jobs",
            Self::IoType => "Direction and order",
            Self::Block => "Blocks and buffers",
            Self::File => "Files and sizes",
            Self::Engine => "Engines",
            Self::Depth => "Queue depth",
            Self::Rate => "Rate and latency",
            Self::Time => "Time",
            Self::Verify => "Verification",
            Self::Steady => "Steady state",
            Self::Report => "Measurement and reports",
            Self::Log => "Logs",
            Self::Process => "CPUs, priorities and users",
            Self::Errors => "Errors",
            Self::Zone => "Zones",
            Self::Replay => "Recording and replay",
            Self::Foreign => "Engines that are not here",
        }
    }
}

/// The files of rows, in the order in which they are best read.
const ROOMS: [(OptionGroup, &[OptionDef]); 17] = [
    (OptionGroup::Jobs, jobs::ROWS),
    (OptionGroup::IoType, io_type::ROWS),
    (OptionGroup::Block, block::ROWS),
    (OptionGroup::File, file::ROWS),
    (OptionGroup::Engine, engine::ROWS),
    (OptionGroup::Depth, depth::ROWS),
    (OptionGroup::Rate, rate::ROWS),
    (OptionGroup::Time, time::ROWS),
    (OptionGroup::Verify, verify::ROWS),
    (OptionGroup::Steady, steady::ROWS),
    (OptionGroup::Report, report::ROWS),
    (OptionGroup::Log, log::ROWS),
    (OptionGroup::Process, process::ROWS),
    (OptionGroup::Errors, errors::ROWS),
    (OptionGroup::Zone, zone::ROWS),
    (OptionGroup::Replay, replay::ROWS),
    (OptionGroup::Foreign, foreign::ROWS),
];

const COUNT: usize = {
    let (mut count, mut room) = (0, 0);
    while room < ROOMS.len() {
        count += ROOMS[room].1.len();
        room += 1;
    }
    count
};

const fn all_rows() -> [OptionDef; COUNT] {
    let mut rows = [OptionDef::new("", Status::Refused { why: "" }); COUNT];
    let (mut at, mut room) = (0, 0);
    while room < ROOMS.len() {
        let (group, in_room) = ROOMS[room];
        let mut index = 0;
        while index < in_room.len() {
            rows[at] = in_room[index];
            rows[at].group = group;
            at += 1;
            index += 1;
        }
        room += 1;
    }
    rows
}

static ROWS: [OptionDef; COUNT] = all_rows();

/// All options, in the order in which they are best read. An option of several engines may have several rows.
pub static OPTIONS: &[OptionDef] = &ROWS;

/// All names with the rows that they stand for, in the table's order. The resolver asks a hundred times for each job, and
/// job files can have ten thousand: a hash of the name is what keeps that short.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static OptionDef>, BuildHasherDefault<NameHasher>>> =
    LazyLock::new(|| {
        let mut rows: HashMap<_, Vec<&'static OptionDef>, _> = HashMap::default();
        for def in OPTIONS {
            def.names().for_each(|name| rows.entry(name).or_default().push(def));
        }
        rows
    });

/// FNV-1a: short names, and none that an attacker chooses ends up in the map.
struct NameHasher(u64);

impl Default for NameHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

fn rows_of(name: &str) -> impl Iterator<Item = &'static OptionDef> {
    BY_NAME.get(name).into_iter().flatten().copied()
}

/// Finds an option by its name or an alias. Where engines have options of one name, the first is found.
pub fn find(name: &str) -> Option<&'static OptionDef> {
    rows_of(name).next()
}

/// Finds an option by its name or an alias, among those that a job with this engine can have.
pub fn find_for(name: &str, engine: &str) -> Option<&'static OptionDef> {
    rows_of(name).find(|def| def.engines.is_empty() || def.engines.contains(&engine))
}

/// What becomes of an option with this value.
pub fn status_of(def: &OptionDef, value: &str) -> Status {
    let word = value.split_once(':').map_or(value, |(word, _)| word).trim();
    if def.name == "ioengine" {
        let known = ENGINES.iter().find(|engine| engine.name == engine_name(word));
        return known.map_or(def.status, |engine| engine.status);
    }
    let own = def.words.iter().find(|own| own.words.contains(&word));
    own.map_or(def.status, |own| own.status)
}

/// Whether an option with this value is as good as not written: it is off, or at its default. Such a value is harmless
/// even where the option itself is refused.
pub fn asks_for_nothing(def: &OptionDef, value: &str) -> bool {
    let value = value.trim();
    match def.kind {
        OptionKind::Switch | OptionKind::Flag => value == if def.default == "1" { "1" } else { "0" },
        // fio's other word for none.
        OptionKind::Word(words) if def.default == "none" && words.contains(&"0") => {
            value == "none" || value == "0"
        }
        _ => !value.is_empty() && value == def.default,
    }
}

#[cfg(test)]
mod tests;
