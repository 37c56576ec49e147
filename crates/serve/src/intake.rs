//! What senders may use: so much memory, and so many Reports in a time.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use cardiograph_core::json::{self, ReadError};
use cardiograph_core::{Parameter, Report, message};
use flate2::bufread::GzDecoder;
use futures_util::StreamExt as _;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::problem::Problem;

/// The longest Report in bytes, sent plainly or unpacked: that of every other way to read one.
pub const LEN_BYTES_MAX: u64 = json::LEN_BYTES_MAX;
/// Bytes of bodies that are held at once. Fifty senders of quick checkups use a third.
const HELD_LEN_BYTES_MAX: usize = 32 << 20;
/// Bytes of Reports that are read at once: numbers take up to 14 times as much memory. A longer one is read alone.
const READ_LEN_BYTES_MAX: usize = 4 << 20;
/// How long a body may take.
const BODY_MAX: Duration = Duration::from_secs(120);
/// How long a sender may be silent within it.
const SILENCE_MAX: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 20 });
/// Reports that a token may send at once, and in each second: forty machines may share one.
const BURST: f64 = 200.0;
const REPORTS_PER_S: f64 = 40.0;
/// When to try again if the server has too much at once, in seconds.
const BUSY_RETRY_S: u64 = 5;
/// Tokens whose rate is known; those that are full again are forgotten.
const BUCKETS_MAX: usize = 2_000;
/// How a gzip stream begins. <https://www.rfc-editor.org/rfc/rfc1952>
const GZIP_BEGIN: [u8; 2] = [0x1f, 0x8b];
/// Its end is the length of its content, of four bytes.
const GZIP_LEN_BYTES: usize = 4;

/// What is in use.
pub struct Intake {
    held: Semaphore,
    reading: Semaphore,
    buckets: Mutex<HashMap<String, Bucket>>,
}

struct Bucket {
    left: f64,
    at: Instant,
}

impl Default for Intake {
    fn default() -> Self {
        let held = Semaphore::new(HELD_LEN_BYTES_MAX);
        Self { held, reading: Semaphore::new(READ_LEN_BYTES_MAX), buckets: Mutex::default() }
    }
}

/// A body that was received; its memory is counted until it is dropped.
pub struct Received<'a> {
    pub bytes: Vec<u8>,
    _held: Vec<SemaphorePermit<'a>>,
}

impl Intake {
    /// Takes one from the bucket of a token.
    ///
    /// # Errors
    /// When it is empty: too many.
    pub fn admit(&self, who: &str, now: Instant) -> Result<(), Problem> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let left = |bucket: &Bucket| {
            let since = now.saturating_duration_since(bucket.at).as_secs_f64();
            (bucket.left + since * REPORTS_PER_S).min(BURST)
        };
        if buckets.len() >= BUCKETS_MAX {
            buckets.retain(|_, bucket| left(bucket) < BURST);
        }
        let bucket = buckets.entry(who.to_string()).or_insert(Bucket { left: BURST, at: now });
        *bucket = Bucket { left: left(bucket), at: now };
        if bucket.left < 1.0 {
            let problem = message!("serve-too-often");
            return Err(Problem::later(StatusCode::TOO_MANY_REQUESTS, BUSY_RETRY_S, problem));
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Receives a body.
    ///
    /// # Errors
    /// When it is too long, breaks off or takes too long, or when others take all memory.
    pub async fn receive(&self, body: Body) -> Result<Received<'_>, Problem> {
        let mut received = Received { bytes: Vec::new(), _held: Vec::new() };
        let slow =
            || Problem::later(StatusCode::SERVICE_UNAVAILABLE, BUSY_RETRY_S, message!("serve-body-slow"));
        let reading = async {
            let mut parts = body.into_data_stream();
            loop {
                let part = tokio::time::timeout(SILENCE_MAX, parts.next()).await.map_err(|_| slow())?;
                let Some(part) = part else { return Ok::<(), Problem>(()) };
                self.add(&mut received, &part.map_err(|_| Problem::bad(message!("serve-body-broken")))?)?;
            }
        };
        tokio::time::timeout(BODY_MAX, reading).await.map_err(|_| slow())??;
        Ok(received)
    }

    fn add<'a>(&'a self, received: &mut Received<'a>, part: &Bytes) -> Result<(), Problem> {
        if (received.bytes.len() + part.len()) as u64 > LEN_BYTES_MAX {
            return Err(too_long());
        }
        // Not awaited: two that wait for each other's memory would wait for ever.
        let permit = self.held.try_acquire_many(part.len() as u32).map_err(|_| busy())?;
        received._held.push(permit);
        received.bytes.extend_from_slice(part);
        Ok(())
    }

    /// Waits until a Report of this length may be read.
    pub async fn turn(&self, len_bytes: u64) -> SemaphorePermit<'_> {
        let permits = len_bytes.min(READ_LEN_BYTES_MAX as u64) as u32;
        self.reading.acquire_many(permits).await.expect("it is never closed")
    }
}

fn busy() -> Problem {
    Problem::later(StatusCode::SERVICE_UNAVAILABLE, BUSY_RETRY_S, message!("serve-too-much"))
}

fn too_long() -> Problem {
    let most = Parameter::Bytes(LEN_BYTES_MAX);
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, message!("serve-too-long", most))
}

/// The body of a sender.
pub struct Sent {
    bytes: Vec<u8>,
    is_packed: bool,
    len_bytes: u64,
}

impl Sent {
    /// A body, packed by gzip or not.
    ///
    /// # Errors
    /// When it is not gzip, or says itself that it has too much.
    pub fn new(bytes: Vec<u8>, is_packed: bool) -> Result<Self, Problem> {
        let len_bytes = if is_packed { gzip_len(&bytes)? } else { bytes.len() as u64 };
        if len_bytes > LEN_BYTES_MAX { Err(too_long()) } else { Ok(Self { bytes, is_packed, len_bytes }) }
    }

    /// Its length in bytes, unpacked.
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }

    /// Reads and validates the Report of somebody else in it, as `import` does.
    ///
    /// # Errors
    /// When it has none.
    pub fn report(self) -> Result<Report, Problem> {
        let text = if self.is_packed { unpack(&self.bytes, self.len_bytes)? } else { self.bytes };
        json::from_json(&text).map_err(|error| {
            let status = match &error {
                ReadError::Refused(message) if message.id() == "report-malformed" => StatusCode::BAD_REQUEST,
                _ => StatusCode::UNPROCESSABLE_ENTITY,
            };
            Problem::new(status, error.message())
        })
    }
}

/// The length of what a gzip stream has, as it says itself.
fn gzip_len(bytes: &[u8]) -> Result<u64, Problem> {
    if !bytes.starts_with(&GZIP_BEGIN) {
        return Err(not_gzip());
    }
    let end = bytes.len().checked_sub(GZIP_LEN_BYTES).ok_or_else(not_gzip)?;
    let end: [u8; GZIP_LEN_BYTES] = bytes[end..].try_into().expect("it has that length");
    Ok(u64::from(u32::from_le_bytes(end)))
}

/// Unpacks a gzip stream of `len_bytes`. One that has more than it says, as bombs have, is not one.
fn unpack(bytes: &[u8], len_bytes: u64) -> Result<Vec<u8>, Problem> {
    let mut unpacked = Vec::with_capacity(len_bytes as usize);
    let read = GzDecoder::new(bytes).take(len_bytes + 1).read_to_end(&mut unpacked);
    match read {
        Ok(len) if len as u64 == len_bytes => Ok(unpacked),
        _ => Err(not_gzip()),
    }
}

fn not_gzip() -> Problem {
    Problem::bad(message!("serve-not-gzip"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_may_send_so_many_in_a_time() {
        let (intake, start) = (Intake::default(), Instant::now());
        let sent = |who: &str, at: Instant| (0..1_000).take_while(|_| intake.admit(who, at).is_ok()).count();
        assert_eq!(sent("a", start), BURST as usize);
        let refused = intake.admit("a", start).unwrap_err();
        assert_eq!(
            (refused.status, refused.retry_after_s),
            (StatusCode::TOO_MANY_REQUESTS, Some(BUSY_RETRY_S))
        );
        assert_eq!(sent("b", start), BURST as usize, "each has its own");
        assert_eq!(sent("a", start + Duration::from_secs(2)), 2 * REPORTS_PER_S as usize);
        for token in 0..2 * BUCKETS_MAX {
            let later = start + Duration::from_secs(100 + token as u64);
            assert!(intake.admit(&token.to_string(), later).is_ok());
        }
        assert!(intake.buckets.lock().unwrap().len() <= BUCKETS_MAX);
    }

    #[tokio::test]
    async fn bodies_are_bounded_one_by_one_and_together() {
        let intake = Intake::default();
        let body = |len: u64| Body::from(vec![b' '; len as usize]);
        let too_long = intake.receive(body(LEN_BYTES_MAX + 1)).await.err().unwrap();
        assert_eq!(too_long.status, StatusCode::PAYLOAD_TOO_LARGE);
        let most = HELD_LEN_BYTES_MAX / LEN_BYTES_MAX as usize;
        let mut held = Vec::new();
        for _ in 0..most {
            held.push(intake.receive(body(LEN_BYTES_MAX)).await.ok().unwrap());
        }
        let refused = intake.receive(body(1)).await.err().unwrap();
        assert_eq!(
            (refused.status, refused.retry_after_s),
            (StatusCode::SERVICE_UNAVAILABLE, Some(BUSY_RETRY_S))
        );
        held.pop();
        assert!(intake.receive(body(1)).await.is_ok());
    }

    #[test]
    fn a_stream_that_has_more_than_it_says_is_refused() {
        use std::io::Write;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&vec![b' '; 20 << 20]).unwrap();
        let bomb = packed.finish().unwrap();
        assert!(bomb.len() < 64 << 10);
        let refused = |bytes: &[u8]| {
            let report = Sent::new(bytes.to_vec(), true).and_then(Sent::report);
            report.expect_err("it has no Report").status
        };
        assert_eq!(refused(&bomb), StatusCode::PAYLOAD_TOO_LARGE);
        let mut lying = bomb.clone();
        let end = lying.len() - GZIP_LEN_BYTES;
        lying[end..].copy_from_slice(&1_000_u32.to_le_bytes());
        for broken in [&b""[..], b"abc", b"not gzip", &lying] {
            assert_eq!(refused(broken), StatusCode::BAD_REQUEST, "{} bytes", broken.len());
        }
        refused(&bomb[..bomb.len() / 2]);
    }
}
