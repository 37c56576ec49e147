//! The loads, a file each.

pub(crate) mod cameras;
pub(crate) mod line_log;
pub(crate) mod photos;
pub(crate) mod sqlite;
pub(crate) mod unpack;

use crate::load::AppLoad;

/// All loads, in the order in which they are listed.
pub const LOADS: &[&dyn AppLoad] = &[
    &sqlite::WAL,
    &sqlite::ROLLBACK,
    &line_log::LineLog,
    &unpack::Unpack,
    &photos::Photos,
    &cameras::Cameras,
];

/// The load of that name.
pub fn find(name: &str) -> Option<&'static dyn AppLoad> {
    LOADS.iter().copied().find(|load| load.name() == name)
}
