//! Diagnosis of bad blocks.

use cardiograph_core::result::MismatchKind;

use super::block_judge::{BlockJudge, Expected};
use super::checksum::{self, FIELD_LEN_BYTES_MAX};
use super::content::{are_of_two_writes, rebuilt, stamp_at};
use super::header::{self, Header, MAGIC, NoHeader};
use crate::buffers::STAMP_EVERY_BYTES;

/// Maximum number of flipped bits in a block that is otherwise intact.
pub(super) const FLIPPED_BITS_MAX: u32 = 64;

/// What is wrong with a block, with expected and found content in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Diagnosis {
    pub kind: MismatchKind,
    pub expected: String,
    pub found: String,
}

impl Diagnosis {
    pub(super) fn new(kind: MismatchKind, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { kind, expected: expected.into(), found: found.into() }
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
            return Diagnosis::new(Unwritten, self.wanted(expected, offset_bytes), "zeros");
        }
        let header = match Header::read(block) {
            Ok(header) => header,
            Err(why) => return self.without_header(block, offset_bytes, why),
        };
        let form = &self.form;
        if !checksum::is_kind(header.kind, form.checksum) {
            let wanted =
                format!("a block of kind {} ({})", checksum::kind_of(form.checksum), form.checksum.word());
            return Diagnosis::new(Damaged, wanted, format!("one of kind {}", header.kind));
        }
        if header.block_len_bytes as usize != block.len() {
            let wanted = format!("a block of {} bytes", block.len());
            return Diagnosis::new(Damaged, wanted, format!("one of {} bytes", header.block_len_bytes));
        }
        if !self.is_content_whole(block) || !self.is_pattern_whole(block, header.offset_bytes, position) {
            return self.with_wrong_content(block, &header, position);
        }
        // In a sequence over several runs each write has a fixed offset, in whichever file.
        let is_elsewheres = matches!(expected, Expected::Exactly(_)) && header.tag() == form.tag;
        if header.offset_bytes != offset_bytes || is_elsewheres {
            let found = format!("the block of offset {}, {}", header.offset_bytes, self.written_by(&header));
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

    fn wanted(&self, expected: Expected, offset_bytes: u64) -> String {
        match expected {
            Expected::Any => format!("the block of offset {offset_bytes}"),
            Expected::NotBefore(number) => {
                format!("the block of offset {offset_bytes}, write {number} or a later one")
            }
            Expected::Exactly(number) => format!("the block of offset {offset_bytes}, write {number}"),
        }
    }

    fn written_by(&self, header: &Header) -> String {
        let number = header.number();
        match (header.tag() == self.form.tag, header.thread == self.form.thread) {
            (true, true) => format!("write {number}"),
            (true, false) => format!("write {number} of worker {} of this run", header.thread),
            (false, _) => format!("write {number} of another run"),
        }
    }

    /// A block without a valid header.
    fn without_header(&self, block: &[u8], offset_bytes: u64, why: NoHeader) -> Diagnosis {
        if let Some((at, bit)) = flipped_header_bit(block) {
            let (was, is) = (block[at] ^ (1 << bit), block[at]);
            return flipped(at, was, is, 1);
        }
        // Since fio 3.42 a version takes the place of the kind, and the header's checksum is at 44.
        let is_newer = block[2] == 0x81 && block.len() >= 48;
        if is_newer && header::u32_at(block, 44) == checksum::crc32c(&block[..44]) {
            let found = "a block written by a newer fio, whose header is not supported";
            return Diagnosis::new(MismatchKind::Stale, "a header of fio 3.33", found);
        }
        if let Some((at, seed)) = first_stamp(block, offset_bytes) {
            let number = seed & super::NUMBER_MASK;
            return Diagnosis::new(
                MismatchKind::Torn,
                "one write in the whole block",
                format!("no header, and write {number} from byte {at} on"),
            );
        }
        let (expected, found) = match why {
            NoHeader::Magic { found } => (format!("magic {MAGIC:04x}"), format!("magic {found:04x}")),
            NoHeader::Checksum { stored, calculated } => {
                (format!("header checksum {calculated:08x}"), format!("header checksum {stored:08x}"))
            }
        };
        Diagnosis::new(MismatchKind::Damaged, expected, found)
    }

    /// A block with a valid header whose content does not match it.
    fn with_wrong_content(&self, block: &[u8], header: &Header, position: usize) -> Diagnosis {
        let torn = |at: usize, found: String| {
            let expected = format!("{} in the whole block", self.written_by(header));
            Diagnosis::new(MismatchKind::Torn, expected, format!("{found} from byte {at} on"))
        };
        for (index, sector) in block.chunks(STAMP_EVERY_BYTES).enumerate().skip(1) {
            let at = index * STAMP_EVERY_BYTES;
            let stamped =
                stamp_at(block, at, header.offset_bytes).filter(|&seed| are_of_two_writes(seed, header.seed));
            if let Some(seed) = stamped {
                return torn(at, self.written_by(&Header { seed, ..*header }));
            }
            if sector.iter().all(|&byte| byte == 0) && !self.is_zero_by_itself() {
                return torn(at, "zeros".to_string());
            }
        }
        let difference = self.difference(block, header, position);
        if let Some(difference) = &difference {
            if difference.bits <= FLIPPED_BITS_MAX {
                let (at, was) = difference.first;
                return flipped(at, was, block[at], difference.bits);
            }
            if let Some(at) = difference.torn_at {
                return torn(at, "other content".to_string());
            }
        }
        let first = difference.filter(|_| self.form.checksum.field_len_bytes() == 0).map(|by| by.first);
        if let Some((at, was)) = first {
            let wanted = format!("{was:02x} at byte {at} of the block");
            return Diagnosis::new(MismatchKind::Damaged, wanted, format!("{:02x}", block[at]));
        }
        let (front, behind) = block.split_at(self.form.header_len_bytes);
        let mut field = [0; FIELD_LEN_BYTES_MAX];
        let calculated = &mut field[..front.len() - header::LEN_BYTES];
        checksum::put(self.form.checksum, behind, calculated);
        let (word, stored) = (self.form.checksum.word(), hex(&front[header::LEN_BYTES..]));
        Diagnosis::new(
            MismatchKind::Damaged,
            format!("content of {word} {stored}"),
            format!("content of {word} {}", hex(calculated)),
        )
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
        // A later write over it may have had another length or offset.
        let positions = std::iter::once(position).chain((0..=last).step_by(len.max(1)));
        let differences = positions.filter_map(|position| {
            let mut was = rebuilt(&self.form, block, header, position)?;
            let (front, behind) = was.split_at_mut(self.form.header_len_bytes);
            checksum::put(self.form.checksum, behind, &mut front[header::LEN_BYTES..]);
            Difference::of(block, &was, position)
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
    pub(super) fn of(block: &[u8], was: &[u8], position: usize) -> Option<Self> {
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
    let all = if bits == 1 { "1 bit differs".to_string() } else { format!("{bits} bits differ") };
    Diagnosis::new(
        MismatchKind::Flipped,
        format!("{was:02x} at byte {at} of the block"),
        format!("{is:02x}; {all} in all"),
    )
}

/// The flipped bit of a header, by byte and bit, if flipping it makes the header valid.
fn flipped_header_bit(block: &[u8]) -> Option<(usize, u32)> {
    let mut copy = block[..header::LEN_BYTES].to_vec();
    let places = (0..header::LEN_BYTES).flat_map(|at| (0..8).map(move |bit| (at, bit)));
    for (at, bit) in places {
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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
