//! How lasting writes are, and when.

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// How the durability of writes is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncMethod {
    /// fsync: data and all metadata.
    Fsync,
    /// fdatasync: data, and the metadata that is needed to read it.
    Fdatasync,
}

/// When writes are made durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SyncEvery {
    /// After so many writes; at least 1.
    pub writes: u64,
    /// By which call.
    pub method: SyncMethod,
}

/// What each write itself promises when it is complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WriteThrough {
    /// Nothing.
    #[default]
    None,
    /// The data is durable, and the metadata that is needed to read it (O_DSYNC).
    Data,
    /// The data and all metadata are durable (O_SYNC).
    All,
}
