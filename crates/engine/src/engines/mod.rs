//! One file per engine: each engine in the table (`crates/jobs/src/options/engine_names.rs`) is a module
//! here. `cargo fmt` does not see modules declared by a macro; `.ci/run` passes their files to rustfmt.

use cardiograph_jobs::options;

use crate::engine::EngineEntry;

mod drain;
mod positioned;
#[cfg(test)]
mod skeleton;
pub(crate) mod synchronous;
mod syscalls;
mod trim;
mod whole_file;

/// Declares a file as a module. Two engines have a separate file for 32-bit processors.
macro_rules! module {
    (io_uring) => {
        #[cfg_attr(not(target_pointer_width = "64"), path = "io_uring_absent.rs")]
        pub mod io_uring;
    };
    (posixaio) => {
        #[cfg_attr(not(target_pointer_width = "64"), path = "posixaio_absent.rs")]
        pub mod posixaio;
    };
    ($name:ident) => {
        pub mod $name;
    };
}

macro_rules! list {
    ($($name:ident)*) => {
        $(module!($name);)*

        /// All engines, in the order of the table.
        pub const ENGINES: &[EngineEntry] = &{
            let mut all = [$($name::ENTRY),*];
            let mut index = 0;
            while index < all.len() {
                all[index].def = &options::ENGINES[index];
                index += 1;
            }
            all
        };
    };
}
cardiograph_jobs::engines!(list);

/// Finds an engine by name.
pub fn find_engine(name: &str) -> Option<&'static EngineEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

/// The engine to use when this one is unavailable.
pub fn find_substitute(entry: &EngineEntry) -> Option<&'static EngineEntry> {
    entry.fallbacks.iter().filter_map(|name| find_engine(name)).find(|other| (other.probe)().is_ok())
}
