//! Who is under test: the drive below a path, the machine around it, and the kernel's own count of what the drive did.
//!
//! Everything is read from `proc`, `sys` and `etc` as an ordinary user: no udev, no root, no other program. A
//! [`System`] holds the directory under which these three are found, so that a test can show it any machine. What
//! cannot be read, or makes no sense, is `None`: a fact is never guessed, and a missing fact never stops a checkup.
//!
//! Reading order: `mountinfo` (which mount a path lies in) → `block` (a block device's place in sysfs) → `stack`
//! (from the mount down to the drives) → `leaf` (what a drive says of itself) → `counters` (what the kernel counted)
//! → `cpuinfo`, `host` and `environment` (the machine). `attribute` reads single files; `system` ties it together.
#![forbid(unsafe_code)]

mod attribute;
mod block;
mod card;
mod counters;
mod cpuinfo;
mod disk_stats;
mod environment;
mod error;
#[cfg(test)]
mod fixture;
mod host;
mod leaf;
mod mountinfo;
mod stack;
mod system;

pub use disk_stats::DiskStats;
pub use error::IdentifyError;
pub use system::{Space, System};
