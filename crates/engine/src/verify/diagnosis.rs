//! Diagnosis of bad blocks.

use cardiograph_core::result::MismatchKind;
use cardiograph_core::{Message, message};

use super::block_judge::{BlockJudge, Expected};
use super::checksum::{self, FIELD_LEN_BYTES_MAX};
use super::content::{are_of_two_writes, rebuilt, stamp_at};
use super::header::{self, Header, MAGIC, NoHeader};
use crate::buffers::STAMP_EVERY_BYTES;

/// Maximum number of flipped bits in a block that still counts as otherwise intact.
pub(super) const FLIPPED_BITS_MAX: u32 = 64;

/// What is wrong with a block, with phrases for expected and found content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub kind: MismatchKind,
    pub expected: Message,
    pub found: Message,
}

impl Diagnosis {
    pub(super) fn new(kind: MismatchKind, expected: Message, found: Message) -> Self {
        Self { kind, expected, found }
    }
}

impl BlockJudge {
    /// Diagnoses a block read at `offset_bytes`, `position` bytes into its I/O.
    #[cold]
    #[inline(never)]
    pub(super) fn diagnose(
        &self,
        block: &[u8],
        offset_bytes: u64,
        expected: Expected,
        position: usize,
    ) -> Diagnosis {
        use MismatchKind::{Damaged, Misdirected, Stale, Unwritten};
        if self.form.header_len_bytes == 0 {
            return self.diagnose_pattern(block, offset_bytes, position);
        }
        if block.iter().all(|&byte| byte == 0) {
            return Diagnosis::new(
                Unwritten,
                self.wanted(expected, offset_bytes),
                message!("verify-content.zeros"),
            );
        }
        let header = match Header::read(block) {
            Ok(header) => header,
            Err(why) => return self.without_header(block, offset_bytes, why),
        };
        let form = &self.form;
        if !checksum::is_kind(header.kind, form.checksum) {
            let (kind, word) = (checksum::kind_of(form.checksum).to_string(), form.checksum.word());
            let wanted = message!("verify-header.kind-named", kind, checksum = word);
            return Diagnosis::new(
                Damaged,
                wanted,
                message!("verify-header.kind", kind = header.kind.to_string()),
            );
        }
        if header.block_len_bytes as usize != block.len() {
            let length = |bytes: u64| message!("verify-header.length", bytes = bytes.to_string());
            let found = length(header.block_len_bytes.into());
            return Diagnosis::new(Damaged, length(block.len() as u64), found);
        }
        if !self.is_content_whole(block) || !self.is_pattern_whole(block, header.offset_bytes, position) {
            return self.with_wrong_content(block, &header, position);
        }
        // In a sequence over several runs each write has a fixed offset, in any file.
        let is_elsewheres = matches!(expected, Expected::Exactly(_)) && header.tag() == form.tag;
        if header.offset_bytes != offset_bytes || is_elsewheres {
            let (offset, write) = (header.offset_bytes.to_string(), self.written_by(&header));
            let found = message!("verify-block.of-write", offset, write);
            return Diagnosis::new(Misdirected, self.wanted(expected, offset_bytes), found);
        }
        Diagnosis::new(Stale, self.wanted(expected, offset_bytes), self.written_by(&header))
    }

    /// The expected content at `offset_bytes`, if known: according to the header there, or of the expected
    /// write.
    pub(super) fn wanted_bytes(
        &self,
        block: &[u8],
        offset_bytes: u64,
        expected: Expected,
        position: usize,
    ) -> Option<Vec<u8>> {
        if self.form.header_len_bytes == 0 {
            return self.wanted_pattern(block.len(), offset_bytes, position);
        }
        let found = Header::read(block).ok().filter(|header| header.offset_bytes == offset_bytes);
        let is_recent = found.is_some_and(|header| self.is_recent(&header, expected));
        let header = match (found, expected) {
            (Some(header), _) if is_recent => header,
            (_, Expected::NotBefore(number) | Expected::Exactly(number)) => Header {
                kind: checksum::kind_of(self.form.checksum),
                block_len_bytes: block.len() as u32,
                seed: header::seed_of(self.form.tag, number),
                offset_bytes,
                // The time of the write is unknown.
                since_start_ns: 0,
                thread: self.form.thread,
            },
            _ => return None,
        };
        let position = self.difference(block, &header, position).map_or(position, |least| least.position);
        let mut wanted = rebuilt(&self.form, block, &header, position)?;
        header.put(&mut wanted);
        let (front, behind) = wanted.split_at_mut(self.form.header_len_bytes);
        checksum::put(self.form.checksum, behind, &mut front[header::LEN_BYTES..]);
        Some(wanted)
    }

    fn wanted(&self, expected: Expected, offset_bytes: u64) -> Message {
        let offset = offset_bytes.to_string();
        match expected {
            Expected::Any => message!("verify-block", offset),
            Expected::NotBefore(number) => {
                message!("verify-block.not-before", offset, number = number.to_string())
            }
            Expected::Exactly(number) => message!("verify-block.of-write", offset, write = write(number)),
        }
    }

    fn written_by(&self, header: &Header) -> Message {
        let number = header.number();
        match (header.tag() == self.form.tag, header.thread == self.form.thread) {
            (true, true) => write(number),
            (true, false) => {
                let worker = header.thread.to_string();
                message!("verify-write.of-worker", number = number.to_string(), worker)
            }
            (false, _) => message!("verify-write.of-other-run", number = number.to_string()),
        }
    }

    /// A block without a valid header.
    fn without_header(&self, block: &[u8], offset_bytes: u64, why: NoHeader) -> Diagnosis {
        if let Some((at, bit)) = flipped_header_bit(block) {
            let (was, is) = (block[at] ^ (1 << bit), block[at]);
            return flipped(at, was, is, 1);
        }
        // Since fio 3.42 a version replaces the kind, and the header's checksum is at 44.
        let is_newer = block[2] == 0x81 && block.len() >= 48;
        if is_newer && header::u32_at(block, 44) == checksum::crc32c(&block[..44]) {
            let (wanted, found) = (message!("verify-header.supported"), message!("verify-header.newer-fio"));
            return Diagnosis::new(MismatchKind::Stale, wanted, found);
        }
        if let Some((at, seed)) = first_stamp(block, offset_bytes) {
            let number = seed & super::NUMBER_MASK;
            return Diagnosis::new(
                MismatchKind::Torn,
                message!("verify-torn.one-write"),
                message!("verify-torn.no-header", write = write(number), byte = at.to_string()),
            );
        }
        let (expected, found) = match why {
            NoHeader::Magic { found } => {
                let magic = |value: u16| message!("verify-header.magic", value = format!("{value:04x}"));
                (magic(MAGIC), magic(found))
            }
            NoHeader::Checksum { stored, calculated } => {
                let checksum =
                    |value: u32| message!("verify-header.checksum", value = format!("{value:08x}"));
                (checksum(calculated), checksum(stored))
            }
        };
        Diagnosis::new(MismatchKind::Damaged, expected, found)
    }

    /// A block with a valid header whose content does not match it.
    fn with_wrong_content(&self, block: &[u8], header: &Header, position: usize) -> Diagnosis {
        let torn = |at: usize, found: Message| {
            let expected = message!("verify-torn.whole", content = self.written_by(header));
            Diagnosis::new(MismatchKind::Torn, expected, content_from(found, at))
        };
        for (index, sector) in block.chunks(STAMP_EVERY_BYTES).enumerate().skip(1) {
            let at = index * STAMP_EVERY_BYTES;
            let stamped =
                stamp_at(block, at, header.offset_bytes).filter(|&seed| are_of_two_writes(seed, header.seed));
            if let Some(seed) = stamped {
                return torn(at, self.written_by(&Header { seed, ..*header }));
            }
            if sector.iter().all(|&byte| byte == 0) && !self.is_zero_by_itself() {
                return torn(at, message!("verify-content.zeros"));
            }
        }
        let difference = self.difference(block, header, position);
        if let Some(difference) = &difference {
            if difference.bits <= FLIPPED_BITS_MAX {
                let (at, was) = difference.first;
                return flipped(at, was, block[at], difference.bits);
            }
            if let Some(at) = difference.torn_at {
                return torn(at, message!("verify-content.other"));
            }
        }
        let first = difference.filter(|_| self.form.checksum.field_len_bytes() == 0).map(|by| by.first);
        if let Some((at, was)) = first {
            let found = message!("verify-byte", value = hex(&block[at..=at]));
            return Diagnosis::new(MismatchKind::Damaged, byte_at(was, at), found);
        }
        let (front, behind) = block.split_at(self.form.header_len_bytes);
        let mut field = [0; FIELD_LEN_BYTES_MAX];
        let calculated = &mut field[..front.len() - header::LEN_BYTES];
        checksum::put(self.form.checksum, behind, calculated);
        let (word, stored) = (self.form.checksum.word(), hex(&front[header::LEN_BYTES..]));
        let content = |value| message!("verify-content.checksum", checksum = word, value);
        Diagnosis::new(MismatchKind::Damaged, content(stored), content(hex(calculated)))
    }

    /// Whether the intended content has sectors of zeros.
    fn is_zero_by_itself(&self) -> bool {
        use cardiograph_core::workload::Content;
        !matches!(self.form.content, Content::Stamped | Content::Repeated | Content::Refilled)
    }

    /// How a block differs from the content according to its header. `None` if unknown.
    fn difference(&self, block: &[u8], header: &Header, position: usize) -> Option<Difference> {
        let len = block.len();
        let last = self.form.write_len_bytes_max.saturating_sub(len);
        // A later overlapping write may have had another length or offset.
        let positions = std::iter::once(position).chain((0..=last).step_by(len.max(1)));
        let differences = positions.filter_map(|position| {
            let mut was = rebuilt(&self.form, block, header, position)?;
            let (front, behind) = was.split_at_mut(self.form.header_len_bytes);
            checksum::put(self.form.checksum, behind, &mut front[header::LEN_BYTES..]);
            Difference::between(block, &was, position)
        });
        let mut least: Option<Difference> = None;
        for difference in differences {
            let is_close = difference.bits <= FLIPPED_BITS_MAX;
            if least.as_ref().is_none_or(|least| difference.bits < least.bits) {
                least = Some(difference);
            }
            if is_close {
                break;
            }
        }
        least
    }
}

/// The difference between a block and its intended content.
pub(super) struct Difference {
    /// Offset of the block in its write.
    position: usize,
    pub bits: u32,
    /// First difference: offset, and the expected byte.
    pub first: (usize, u8),
    /// First wrong sector, if all sectors before it are intact.
    pub torn_at: Option<usize>,
}

impl Difference {
    pub(super) fn between(block: &[u8], was: &[u8], position: usize) -> Option<Self> {
        let pairs = || block.iter().zip(was);
        let bits = pairs().map(|(a, b)| (a ^ b).count_ones()).sum();
        let at = pairs().position(|(a, b)| a != b)?;
        // Random content that differs does so from the first bytes on.
        let starts_sector = at >= STAMP_EVERY_BYTES && at % STAMP_EVERY_BYTES < 16;
        let torn_at = starts_sector.then(|| at - at % STAMP_EVERY_BYTES);
        Some(Self { position, bits, first: (at, was[at]), torn_at })
    }
}

pub(super) fn flipped(at: usize, was: u8, is: u8, bits: u32) -> Diagnosis {
    let found = message!("verify-byte.flipped", value = hex(&[is]), bits);
    Diagnosis::new(MismatchKind::Flipped, byte_at(was, at), found)
}

fn write(number: u64) -> Message {
    message!("verify-write", number = number.to_string())
}

fn byte_at(value: u8, at: usize) -> Message {
    message!("verify-byte.at", value = hex(&[value]), byte = at.to_string())
}

pub(super) fn content_from(content: Message, at: usize) -> Message {
    message!("verify-torn.from", content, byte = at.to_string())
}

/// The flipped bit of a header, by byte and bit, if flipping it makes the header valid.
fn flipped_header_bit(block: &[u8]) -> Option<(usize, u32)> {
    let mut copy = block[..header::LEN_BYTES].to_vec();
    let bits = (0..header::LEN_BYTES).flat_map(|at| (0..8).map(move |bit| (at, bit)));
    for (at, bit) in bits {
        copy[at] ^= 1 << bit;
        if Header::read(&copy).is_ok() {
            return Some((at, bit));
        }
        copy[at] ^= 1 << bit;
    }
    None
}

/// The first sector of a block with a stamp for its offset, and its seed.
fn first_stamp(block: &[u8], offset_bytes: u64) -> Option<(usize, u64)> {
    let sectors = (STAMP_EVERY_BYTES..block.len()).step_by(STAMP_EVERY_BYTES);
    sectors.filter_map(|at| Some((at, stamp_at(block, at, offset_bytes)?))).next()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
