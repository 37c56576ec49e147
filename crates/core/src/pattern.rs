//! Patterns that are written repeatedly.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// Length of an offset in a pattern, in bytes.
pub const OFFSET_LEN_BYTES: usize = 8;

/// A pattern including the content of its files. Clones share its bytes: each worker has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PatternBytes {
    /// The repeated bytes, with zeros in place of offsets. Not empty.
    #[serde(with = "shared")]
    #[schemars(with = "Vec<u8>")]
    bytes: Arc<[u8]>,
    /// Positions of the offsets, ascending.
    #[serde(with = "shared")]
    #[schemars(with = "Vec<usize>")]
    offsets_at: Arc<[usize]>,
    /// Restart after this many bytes of a write; 0 is never.
    interval_bytes: u64,
}

/// Shared lists, serialised as lists.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(list: &Arc<[T]>, to: S) -> Result<S::Ok, S::Error> {
        list.as_ref().serialize(to)
    }

    pub fn deserialize<'d, T: Deserialize<'d>, D: Deserializer<'d>>(from: D) -> Result<Arc<[T]>, D::Error> {
        Vec::deserialize(from).map(Into::into)
    }
}

impl PatternBytes {
    /// The repeated bytes, with zeros in place of offsets, whose positions ascend. Not empty.
    pub fn new(bytes: Vec<u8>, offsets_at: Vec<usize>) -> Self {
        Self { bytes: bytes.into(), offsets_at: offsets_at.into(), interval_bytes: 0 }
    }

    /// Truncates it to `len_bytes`.
    pub fn shorten(&mut self, len_bytes: usize) {
        if self.bytes.len() > len_bytes {
            self.bytes = self.bytes[..len_bytes].into();
            self.offsets_at = self.offsets_at.iter().copied().filter(|&at| at < len_bytes).collect();
        }
    }

    /// Restarts the pattern after each `interval_bytes` of a write, with the offset of that position; 0 is never.
    pub fn every(self, interval_bytes: u64) -> Self {
        Self { interval_bytes, ..self }
    }

    /// Length of the repeated bytes.
    pub fn len_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Whether its content depends on the offset of the write.
    pub fn has_offsets(&self) -> bool {
        !self.offsets_at.is_empty()
    }

    /// Fills `bytes` for a write to `offset_bytes`: the pattern repeated from its start. The offset is 64 bits,
    /// little-endian.
    #[inline]
    pub fn fill(&self, bytes: &mut [u8], offset_bytes: u64) {
        let interval = self.interval(bytes.len());
        for (part, at) in bytes.chunks_mut(interval).zip((offset_bytes..).step_by(interval)) {
            for repeat in part.chunks_mut(self.bytes.len().max(1)) {
                repeat.copy_from_slice(&self.bytes[..repeat.len()]);
                for &place_at in self.offsets_at.iter() {
                    let Some(place) = repeat.get_mut(place_at..) else { break };
                    let len = place.len().min(OFFSET_LEN_BYTES);
                    place[..len].copy_from_slice(&at.to_le_bytes()[..len]);
                }
            }
        }
    }

    /// Whether `piece` matches the content `position` bytes into a write to `offset_bytes`.
    #[inline]
    pub fn matches(&self, piece: &[u8], position: usize, offset_bytes: u64) -> bool {
        let interval = self.interval(position + piece.len());
        let (mut rest, mut position) = (piece, position);
        while !rest.is_empty() {
            let phase = position % interval;
            let (part, behind) = rest.split_at(rest.len().min(interval - phase));
            if !self.matches_part(part, phase, offset_bytes + (position - phase) as u64) {
                return false;
            }
            position += part.len();
            rest = behind;
        }
        true
    }

    /// Like `matches`, within one interval that starts at `offset_bytes`: one repeat is compared with the pattern,
    /// and each further one with the previous one.
    #[inline]
    fn matches_part(&self, part: &[u8], phase: usize, offset_bytes: u64) -> bool {
        let len = self.bytes.len();
        let phase = phase % len;
        let first = &part[..part.len().min(len)];
        let is_first_whole = if self.has_offsets() {
            first.iter().zip(phase..).all(|(&byte, at)| byte == self.byte(at % len, offset_bytes))
        } else {
            let (front, back) = first.split_at(first.len().min(len - phase));
            *front == self.bytes[phase..phase + front.len()] && *back == self.bytes[..back.len()]
        };
        is_first_whole && part[first.len()..] == part[..part.len() - first.len()]
    }

    /// A byte of the pattern.
    fn byte(&self, at: usize, offset_bytes: u64) -> u8 {
        let before = self.offsets_at.partition_point(|&place_at| place_at <= at);
        let within = before.checked_sub(1).map(|index| at - self.offsets_at[index]);
        let of_offset = within.and_then(|within| offset_bytes.to_le_bytes().get(within).copied());
        of_offset.unwrap_or(self.bytes[at])
    }

    /// The offset of the write for which `piece` would be the content `position` bytes into it, from the first
    /// complete offset in the piece; `None` if there is none.
    pub fn write_offset_in(&self, piece: &[u8], position: usize) -> Option<u64> {
        let interval = self.interval(position + piece.len());
        let is_offset = |at: usize| {
            let phase = (position + at) % interval;
            phase + OFFSET_LEN_BYTES <= interval
                && self.offsets_at.binary_search(&(phase % self.bytes.len())).is_ok()
        };
        let places = piece.windows(OFFSET_LEN_BYTES).enumerate();
        let (at, offset) = places.into_iter().find(|&(at, _)| is_offset(at))?;
        let of_interval = u64::from_le_bytes(offset.try_into().ok()?);
        of_interval.checked_sub(((position + at) / interval * interval) as u64)
    }

    /// Number of bytes after which a write of `len` bytes restarts the pattern; `len` if it does not.
    fn interval(&self, len: usize) -> usize {
        let interval = usize::try_from(self.interval_bytes).unwrap_or(usize::MAX);
        if interval == 0 { len.max(1) } else { interval }
    }
}
