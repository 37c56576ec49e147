//! Who is under test: the drive below a path, the machine around it, and the kernel's own count of what the drive did.
//!
//! Everything is read from `proc`, `sys` and `etc` as an ordinary user; what needs more, as headers on a device, is
//! unknown with the reason where we may not. A [`System`] holds the directory under which these are found, so that a
//! test can show it any machine. What cannot be read, or makes no sense, is `None`: a fact is never guessed, and a
//! missing fact never stops a checkup.
//!
//! Reading order: `mountinfo` (which mount a path lies in) → `block` (a block device's place in sysfs) → `stack`
//! (from the mount down to the drives) → `file_system` (what it was made with) → `layer` (what lies between), `alignment`
//! (where it begins) → `leaf` (what a drive says of itself), `queue` (how the kernel talks to it) and `link` (what it is
//! connected with) → `counters` (what the kernel counted) → `cpuinfo`, `processors`, `interrupts`, `host`, `raspberry_pi`,
//! `swap` and `environment` (the machine). `attribute` reads single files, `udev` its notes where it runs, `content` headers on a device where we may,
//! `kernel_log` the log; `inquiry` asks for the drives' own records (`health`) and a `controller`'s settings through other
//! programs, which `helper` starts; `system` ties it together.
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
