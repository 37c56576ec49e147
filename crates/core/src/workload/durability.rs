//! Durability of writes.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// The system call for durability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncMethod {
    /// fsync: data and all metadata.
    Fsync,
    /// fdatasync: data, and the metadata needed to read it.
    Fdatasync,
}

/// When writes are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncEvery {
    /// Number of writes in between; at least 1.
    pub writes: u64,
    /// The system call.
    pub method: SyncMethod,
}

/// Guarantee of each completed write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteThrough {
    /// None.
    #[default]
    None,
    /// The data is durable, with the metadata needed to read it (O_DSYNC).
    Data,
    /// The data and all metadata are durable (O_SYNC).
    All,
}
