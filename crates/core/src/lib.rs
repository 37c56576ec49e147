//! Data types and calculations of cardiograph.
//!
//! Everything here is a value or a pure function of values. The crate reads no clock, file or environment variable,
//! starts no thread and contains no `unsafe`: time, randomness and storage are passed in. All other crates depend on
//! this one, and none of them needs another's types to understand a [`Report`].
//!
//! Reading order: [`spec`] (what was written) → [`workload`] and [`plan`] (what will run) → [`histogram`], [`series`]
//! and [`result`] (results) → [`estimate`] (precision) → [`verdict`] and [`report`].
#![forbid(unsafe_code)]

pub mod app;
pub mod card;
pub mod checked;
pub mod claim;
pub mod counters;
pub mod direction;
pub mod display;
pub mod doubt;
pub mod drive;
pub mod errno;
pub mod estimate;
pub mod falloff;
pub mod figures;
pub mod file_use;
pub mod fleet;
pub mod histogram;
pub mod imported;
pub mod json;
pub mod lines;
pub mod long_run;
pub mod message;
pub mod method;
pub mod metric;
pub mod nearest;
pub mod outcome;
pub mod pattern;
pub mod pause;
pub mod plan;
pub mod precision;
pub mod published;
pub mod quantity;
pub mod ran_job;
pub mod replay;
pub mod report;
pub mod request;
pub mod result;
pub mod rng;
pub mod rounds;
pub mod series;
pub mod spec;
pub mod stats;
pub mod steady;
pub mod summary;
pub mod system_error;
pub mod table;
pub mod text;
pub mod trust;
pub mod units;
pub mod verdict;
pub mod verify;
pub mod words;
pub mod workload;

pub use direction::{Direction, OpKind, PerDirection};
pub use doubt::Doubt;
pub use estimate::Estimate;
pub use histogram::{Latency, LatencyHistogram};
pub use message::{Message, Parameter};
pub use plan::{EndCondition, FileUse, Plan, PlannedJob, StartCondition};
pub use report::Report;
pub use request::Request;
pub use result::RunResult;
pub use series::{Interval, Series};
pub use spec::{JobSpec, Origin, Setting};
pub use system_error::Action;
pub use verdict::{Finding, Verdict};
pub use workload::Workload;

pub(crate) use self::schemars::JsonSchema;
/// Derives JSON Schemas in other crates, or a stub if schemas are not needed.
#[cfg(not(feature = "schema"))]
pub use cardiograph_no_schema as schemars;
#[cfg(feature = "schema")]
pub use schemars;

/// Nanoseconds in a second.
pub const NS_PER_S: u64 = 1_000_000_000;
/// Nanoseconds in a millisecond.
pub const NS_PER_MS: u64 = 1_000_000;
/// Bytes in a kibibyte.
pub const KIB: u64 = 1 << 10;
/// Bytes in a mebibyte.
pub const MIB: u64 = 1 << 20;
/// Bytes in a gibibyte.
pub const GIB: u64 = 1 << 30;
