//! A host among others: what they agree on.

use cardiograph_core::NS_PER_MS;
use cardiograph_core::fleet::ClockOffset;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::{Parameter, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Fleet, clocks, lost};
use crate::failure::Failure;

/// From the decision to start until the start, in nanoseconds: time for the decision to arrive, and for threads to wake up.
const MARGIN_NS: u64 = 5 * NS_PER_MS;
/// More of it for each host.
const MARGIN_OF_HOST_NS: u64 = 20_000;

/// This host in its fleet.
pub struct Member {
    fleet: Box<dyn Fleet>,
    clock: ClockOffset,
}

/// What must be the same on all hosts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Same {
    /// The program, with its version.
    program: String,
    /// What it was asked.
    asked: String,
}

impl Member {
    /// Joins the fleet. What it was `asked` must be the same on all hosts.
    ///
    /// # Errors
    /// When hosts run other versions or were asked something else, and when one is lost.
    pub fn join(fleet: Box<dyn Fleet>, program: &str, asked: &str) -> Result<Self, Failure> {
        let mut member = Self { fleet, clock: ClockOffset::default() };
        let own = Same { program: program.to_string(), asked: asked.to_string() };
        let of_0 = member.share(own.clone())?;
        let same = match own {
            own if own == of_0 => Ok(()),
            own if own.program != of_0.program => {
                let (theirs, ours) = (own.program, of_0.program);
                Err(Failure::usage(message!("fleet-versions", theirs, ours)))
            }
            _ => Err(Failure::usage(message!("fleet-asked"))),
        };
        member.agree(same)?;
        member.clock = clocks::measure(member.fleet.as_ref())?;
        Ok(member)
    }

    /// This host's number, from 0.
    pub fn rank(&self) -> usize {
        self.fleet.rank()
    }

    /// Number of hosts.
    pub fn size(&self) -> usize {
        self.fleet.size()
    }

    /// Its clock.
    pub fn clock(&self) -> ClockOffset {
        self.clock
    }

    /// This host's seed of a measurement: others must not draw the same, nor write the same data. Rank 0 keeps the fleet's.
    pub fn seed(&self, of_fleet: u64) -> u64 {
        if self.rank() == 0 { of_fleet } else { derive_seed(of_fleet, self.rank() as u64) }
    }

    /// What rank 0 has.
    ///
    /// # Errors
    /// When a host is lost.
    pub fn share<T: Serialize + DeserializeOwned>(&self, own: T) -> Result<T, Failure> {
        if self.size() == 1 {
            return Ok(own);
        }
        let bytes = if self.rank() == 0 { written(&own) } else { Vec::new() };
        read(&self.fleet.broadcast(bytes)?, 0)
    }

    /// What each host has, by rank, on rank 0; nothing elsewhere.
    ///
    /// # Errors
    /// When a host is lost.
    pub fn collect<T: Serialize + DeserializeOwned>(&self, own: &T) -> Result<Vec<T>, Failure> {
        let all = self.fleet.gather(written(own))?;
        all.iter().enumerate().map(|(rank, bytes)| read(bytes, rank)).collect()
    }

    /// Its own value, if all hosts have one.
    ///
    /// # Errors
    /// When one has none: the same failure on all, which names the hosts and why.
    pub fn agree<T>(&self, own: Result<T, Failure>) -> Result<T, Failure> {
        let (value, failure) = match own {
            Ok(value) => (Some(value), None),
            Err(failure) => (None, Some(failure)),
        };
        let failures = self.collect(&failure)?;
        let mut failed =
            failures.into_iter().enumerate().filter_map(|(rank, failure)| Some((rank, failure?)));
        let first = failed.next().map(|(rank, failure)| {
            if self.size() == 1 {
                return failure;
            }
            let more = failed.map(|(rank, failure)| of_host(rank, failure)).collect();
            Failure { more, ..Failure::new(failure.code, of_host(rank, failure)) }
        });
        match (self.share(first)?, value) {
            (None, Some(value)) => Ok(value),
            (Some(failure), _) => Err(failure),
            // It failed itself, and rank 0 has not heard of it.
            (None, None) => Err(lost(0)),
        }
    }

    /// Waits until the workers of all hosts are ready, and returns when they start, on this host's clock in nanoseconds. A host
    /// without workers only says so.
    ///
    /// # Errors
    /// When a host is lost.
    pub fn start_at_ns(&self) -> Result<u64, Failure> {
        self.fleet.gather(Vec::new())?;
        let margin_ns = MARGIN_NS + MARGIN_OF_HOST_NS * self.size() as u64;
        let of_0_ns = self.share(self.fleet.now_ns().saturating_add(margin_ns))?;
        Ok(self.clock.from_rank_0(of_0_ns))
    }
}

/// What a host failed with.
fn of_host(rank: usize, failure: Failure) -> cardiograph_core::Message {
    message!("fleet-host", rank = Parameter::from(rank as u64), error = failure.into_message())
}

fn written<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("it has nothing that JSON cannot hold")
}

/// What a host sent. It is the same program: something else means that it is gone.
fn read<T: DeserializeOwned>(bytes: &[u8], rank: usize) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|_| lost(rank))
}
