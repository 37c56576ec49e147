//! The loads, a file each.

pub(crate) mod cameras;
pub(crate) mod line_log;
pub(crate) mod photos;
pub(crate) mod sqlite;
pub(crate) mod unpack;

use crate::load::AppLoad;

/// All loads, in the order in which they are listed.
pub const LOADS: &[AppLoad] =
    &[sqlite::WAL, sqlite::ROLLBACK, line_log::LOAD, unpack::LOAD, photos::LOAD, cameras::LOAD];

/// The load of that name.
pub fn find(name: &str) -> Option<&'static AppLoad> {
    LOADS.iter().find(|load| load.name == name)
}
