//! Identifies the device under test: the drive below a path, the machine around it, and the kernel's I/O
//! counters.
//!
//! Everything is read from `proc`, `sys` and `etc` as an ordinary user; facts that need privileges, such as
//! headers on a device, are otherwise unknown, with the reason. A [`System`] holds their root directory, so
//! that a test can use any machine. Anything unreadable or implausible is `None`: facts are never guessed,
//! and a missing fact never stops a checkup.
//!
//! Reading order: `mountinfo` (the mount of a path) → `block` (block devices in sysfs) → `stack` (from the
//! mount down to the drives) → `file_system` (its geometry) → `layer` (devices in between), `alignment`
//! (where it starts) → `leaf` (a single drive), `queue` (its kernel queue) and `link` (its connection) →
//! `counters` (I/O counters) → `cpuinfo`, `processors`, `interrupts`, `host`, `raspberry_pi`, `swap` and
//! `environment` (the machine). `attribute` reads single files, `udev` its database, `content` headers on a
//! device if permitted, `kernel_log` the log; `inquiry` queries the drives' own records (`health`) and a
//! `controller`'s settings through external programs, which `helper` starts; `system` ties it all together.
#![deny(unsafe_code)]

mod alignment;
mod attribute;
mod block;
pub mod card;
mod conditions;
mod content;
mod controller;
mod counters;
mod cpuinfo;
mod disk_stats;
mod environment;
mod error;
mod file_system;
#[cfg(test)]
mod fixture;
mod health;
mod helper;
mod host;
mod inquiry;
mod interrupts;
mod inventory;
mod io_limits;
mod ioctl;
mod kernel_log;
mod layer;
mod leaf;
mod link;
mod mountinfo;
mod processors;
mod queue;
mod raspberry_pi;
mod stack;
mod swap;
mod system;
mod udev;
mod virtual_disk;

pub use disk_stats::DiskStats;
pub use error::IdentifyError;
pub use system::System;
