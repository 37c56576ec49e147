//! The options of a job: names, aliases, types, units, defaults, ranges, help, and their status here.
//!
//! This table is the single source of truth about job options: every option of fio has a row. The resolver refuses
//! others, and help and documentation are generated from it. Names and meanings are fio's, so that a JobSpec can be
//! printed as a fio command line. The rows are in one file per group.

use std::sync::LazyLock;

use cardiograph_core::Message;
use rustc_hash::FxHashMap;

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

/// The status of an option, an engine or a word of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Works as in fio.
    Works {
        /// The test that checks its effect on the I/O or on the output.
        test: &'static str,
    },
    /// Accepted with a note. It does not affect measurements.
    Hint {
        /// Why it has no effect.
        why: &'static Message,
    },
    /// Refused: it cannot work here.
    Refused {
        /// Why, and what to do instead.
        why: &'static Message,
    },
}

/// All options, in reading order. An option of several engines may have several rows.
pub static OPTIONS: LazyLock<Vec<OptionDef>> = LazyLock::new(|| {
    let rooms = [
        jobs::ROWS,
        io_type::ROWS,
        block::ROWS,
        file::ROWS,
        engine::ROWS,
        depth::ROWS,
        rate::ROWS,
        time::ROWS,
        verify::ROWS,
        steady::ROWS,
        report::ROWS,
        log::ROWS,
        process::ROWS,
        errors::ROWS,
        zone::ROWS,
        replay::ROWS,
        foreign::ROWS,
    ];
    rooms.concat()
});

/// All names with their rows, in the table's order. The resolver looks up a hundred options per job, and job files can
/// have ten thousand jobs.
static BY_NAME: LazyLock<FxHashMap<&'static str, Vec<&'static OptionDef>>> = LazyLock::new(|| {
    let mut rows: FxHashMap<_, Vec<&'static OptionDef>> = FxHashMap::default();
    for def in OPTIONS.iter() {
        def.names().for_each(|name| rows.entry(name).or_default().push(def));
    }
    rows
});

fn rows_of(name: &str) -> impl Iterator<Item = &'static OptionDef> {
    BY_NAME.get(name).into_iter().flatten().copied()
}

/// Finds an option by its name or an alias. If several engines have it, the first row is found.
pub fn find(name: &str) -> Option<&'static OptionDef> {
    rows_of(name).next()
}

/// Finds an option by its name or an alias, among those of jobs with this engine.
pub fn find_for(name: &str, engine: &str) -> Option<&'static OptionDef> {
    rows_of(name).find(|def| def.engines.is_empty() || def.engines.contains(&engine))
}

/// The status of an option with this value.
pub fn status_of(def: &OptionDef, value: &str) -> Status {
    let word = value.split_once(':').map_or(value, |(word, _)| word).trim();
    if def.name == "ioengine" {
        let known = ENGINES.iter().find(|engine| engine.name == engine_name(word));
        return known.map_or(def.status, |engine| engine.status);
    }
    let own = def.words.iter().find(|own| own.words.contains(&word));
    own.map_or(def.status, |own| own.status)
}

/// Whether this value has the same effect as leaving out the option: off, or the default. Such a value is harmless even
/// if the option itself is refused.
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
