//! The loads, a file each.

pub(crate) mod cameras;
pub(crate) mod line_log;
pub(crate) mod photos;
pub(crate) mod sqlite;
pub(crate) mod unpack;
