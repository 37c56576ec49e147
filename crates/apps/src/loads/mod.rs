//! The loads, one per file.

pub(crate) mod cameras;
pub(crate) mod line_log;
pub(crate) mod photos;
pub(crate) mod sqlite;
pub(crate) mod unpack;

use crate::load::AppLoad;

/// All loads, in display order.
pub const LOADS: &[AppLoad] =
    &[sqlite::WAL, sqlite::ROLLBACK, line_log::LOAD, unpack::LOAD, photos::LOAD, cameras::LOAD];

/// Finds a load by name.
pub fn find(name: &str) -> Option<&'static AppLoad> {
    LOADS.iter().find(|load| load.name == name)
}
