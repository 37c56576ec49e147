//! Messages between a checkup and its Agent.

use cardiograph_checkup::wire::{Frames, FromAgent, ToAgent, WireError};
use cardiograph_core::RunResult;
use cardiograph_core::result::WorkerResult;
use cardiograph_engine::part::RunPart;
use serde::de::DeserializeOwned;

/// Decodes the bytes as each side does, whole and in two pieces, with the same result.
pub fn reads(bytes: &[u8]) {
    let mut result = RunResult { workers: vec![WorkerResult::default(); 2], ..RunResult::default() };
    let mut take = |frame: FromAgent| {
        if let FromAgent::Part(part) = frame
            && let Ok(part) = serde_json::from_slice::<RunPart>(part.get().as_bytes())
        {
            part.add_to(&mut result);
        }
    };
    let whole = messages::<FromAgent>(&[bytes], &mut take);
    let middle = bytes.len() / 2;
    let pieces = messages::<FromAgent>(&[&bytes[..middle], &bytes[middle..]], &mut |_| {});
    assert_eq!(whole, pieces);
    messages::<ToAgent>(&[bytes], &mut |_| {});
}

/// Number of messages, and whether the rest is invalid.
fn messages<M: DeserializeOwned>(pieces: &[&[u8]], take: &mut dyn FnMut(M)) -> (usize, bool) {
    let (mut frames, mut count) = (Frames::default(), 0);
    for piece in pieces {
        let mut piece = *piece;
        while frames.read(&mut piece).is_ok_and(|is_more| is_more) {
            loop {
                match frames.take::<M>() {
                    Ok(Some(message)) => {
                        take(message);
                        count += 1;
                    }
                    Ok(None) => break,
                    Err(WireError::TooLong(_) | WireError::Content(_)) => return (count, true),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    (count, false)
}
