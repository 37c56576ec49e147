//! Several hosts that take part in one measurement: the connection between them, and what each of them does.
//!
//! Reading order: [`Fleet`] (the connection) → [`threads`] (in this process) → [`clocks`] (whose clock is how far off) →
//! [`member`] (what hosts agree on) → [`runner`] (a step on all of them) → [`whole`] (the Report of all).
//!
//! All hosts run the same program with the same words, and make the same calls in the same order. Each runs a checkup of its
//! own, and keeps a Report of it, in which nothing is of others; the steps are those that rank 0's suite decides on. Rank 0
//! keeps the Report of all besides.

pub mod clocks;
pub mod member;
pub mod runner;
pub mod threads;
pub mod whole;

#[cfg(test)]
mod tests;

use cardiograph_core::message;

use crate::failure::Failure;

/// The connection between the hosts of one measurement. Its calls wait for the others without using a processor for it: they
/// may be measuring.
pub trait Fleet {
    /// This host's number, from 0.
    fn rank(&self) -> usize;

    /// Number of hosts.
    fn size(&self) -> usize;

    /// Rank 0's bytes, on all.
    ///
    /// # Errors
    /// When a host is lost.
    fn broadcast(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Failure>;

    /// The bytes of all, by rank, on rank 0; nothing elsewhere.
    ///
    /// # Errors
    /// When a host is lost.
    fn gather(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, Failure>;

    /// Sends a number to another host. One of the two is rank 0.
    ///
    /// # Errors
    /// When it is lost.
    fn send(&self, to: usize, number: u64) -> Result<(), Failure>;

    /// Waits for a number of another host, and may use a processor meanwhile. One of the two is rank 0.
    ///
    /// # Errors
    /// When it is lost.
    fn receive(&self, from: usize) -> Result<u64, Failure>;

    /// The kernel's monotonic clock of this host, in nanoseconds.
    fn now_ns(&self) -> u64;
}

/// A host is gone. What it had measured is in its own store.
pub(crate) fn lost(rank: usize) -> Failure {
    Failure::io(message!("fleet-lost", rank))
}
