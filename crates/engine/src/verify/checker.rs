//! Compares what is read.

use cardiograph_core::result::{BadSpan, FoundWrite, Mismatch, MismatchKind, Verified};

use super::checksum::{self, FIELD_LEN_BYTES_MAX};
use super::diagnosis::Diagnosis;
use super::dump::{DUMPS_MAX, dump};
use super::header::{self, Header};
use super::{BlockForm, NUMBER_MASK};

/// Which write is expected in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Any, of whatever run.
    Any,
    /// The one of this worker that has this number, or a later one that wrote over it.
    NotBefore(u64),
    /// The one of its sequence that has this number, and no other.
    Exactly(u64),
}

/// Compares what is read.
#[derive(Debug)]
pub(crate) struct Checker {
    pub(super) form: BlockForm,
    /// Whether other workers write to the same places at the same time.
    shares_files: bool,
    verified: Verified,
}

impl Checker {
    /// A checker for what a [`Sealer`](super::Sealer) of the same form wrote, or any other.
    pub fn new(form: BlockForm, shares_files: bool) -> Self {
        Self { form, shares_files, verified: Verified::default() }
    }

    /// What is expected where the write stood that is the so manyth of this run, when an earlier run wrote it.
    pub fn of_earlier_run(&self, number: u64) -> Expected {
        match self.form.first_write {
            Some(first) => Expected::Exactly(first.wrapping_add(number)),
            None => Expected::Any,
        }
    }

    /// Compares what an I/O read from `offset_bytes` of the file `target`. Returns offset and length of the first block
    /// that differs, if one does.
    pub fn check(
        &mut self,
        target: &str,
        bytes: &mut [u8],
        offset_bytes: u64,
        expected: Expected,
    ) -> Option<(u64, u64)> {
        let header_len = self.form.header_len_bytes;
        if header_len == 0 && self.form.pattern.is_none() {
            return None;
        }
        let len = self.form.block_len_in(bytes.len());
        let mut first = None;
        for (index, block) in bytes.chunks_mut(len).enumerate() {
            if block.len() < header_len {
                continue;
            }
            let position = index * len;
            let at = offset_bytes + position as u64;
            self.verified.blocks += 1;
            if self.form.header_offset_bytes != 0 {
                self.form.swap_header(block);
            }
            if !self.is_whole(block, at, position, expected) {
                let diagnosis = self.diagnose(block, at, expected, position);
                self.note_span(target, at, block, diagnosis.kind);
                let diagnosis = self.dumped(diagnosis, target, block, (at, position), expected);
                self.note_bad(target, at, block.len() as u64, diagnosis);
                first.get_or_insert((at, block.len() as u64));
            }
        }
        first
    }

    /// Notes an I/O that came back shorter than it was asked for.
    pub fn check_short(&mut self, target: &str, offset_bytes: u64, len_bytes: u64, read_bytes: u64) {
        self.verified.blocks += 1;
        let diagnosis = Diagnosis {
            kind: MismatchKind::Short,
            expected: format!("{len_bytes} bytes"),
            found: format!("{read_bytes} bytes"),
        };
        let span = BadSpan {
            target: target.to_string(),
            offset_bytes,
            len_bytes,
            kind: MismatchKind::Short,
            found: None,
        };
        self.verified.note_span(span);
        self.note_bad(target, offset_bytes, len_bytes, diagnosis);
    }

    /// What was found so far.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    #[cold]
    fn note_bad(&mut self, target: &str, offset_bytes: u64, len_bytes: u64, diagnosis: Diagnosis) {
        let Diagnosis { kind, expected, found } = diagnosis;
        self.verified.bad_blocks += 1;
        *self.verified.kinds.entry(kind).or_default() += 1;
        let mismatch =
            || Mismatch { target: target.to_string(), offset_bytes, len_bytes, kind, expected, found };
        self.verified.first.get_or_insert_with(mismatch);
    }

    /// Notes where a bad block lies, and where it belongs.
    #[cold]
    fn note_span(&mut self, target: &str, offset_bytes: u64, block: &[u8], kind: MismatchKind) {
        // What another run wrote has numbers and places of its own.
        let own = Header::read(block).ok().filter(|header| header.tag() == self.form.tag);
        let found = own.filter(|_| kind == MismatchKind::Misdirected);
        self.verified.note_span(BadSpan {
            target: target.to_string(),
            offset_bytes,
            len_bytes: block.len() as u64,
            kind,
            found: found
                .map(|header| FoundWrite { number: header.number(), offset_bytes: header.offset_bytes }),
        });
    }

    /// Keeps a bad block in files, where that was asked for, and says so.
    #[cold]
    fn dumped(
        &self,
        mut diagnosis: Diagnosis,
        target: &str,
        block: &mut [u8],
        (at, position): (u64, usize),
        expected: Expected,
    ) -> Diagnosis {
        if !self.form.dump || self.verified.bad_blocks >= DUMPS_MAX {
            return diagnosis;
        }
        let mut wanted = self.wanted_bytes(block, at, expected, position);
        // As they stand in the file.
        self.form.swap_header(block);
        wanted.iter_mut().for_each(|wanted| self.form.swap_header(wanted));
        let kept = match dump(target, at, block, wanted.as_deref()) {
            Ok(files) => format!("; kept as {}", files.join(" and ")),
            Err(error) => format!("; it could not be kept in a file: {error}"),
        };
        diagnosis.found.push_str(&kept);
        diagnosis
    }

    /// Whether a block is what is expected at `offset_bytes`, `position` bytes into its I/O.
    #[inline]
    fn is_whole(&self, block: &[u8], offset_bytes: u64, position: usize, expected: Expected) -> bool {
        if self.form.pattern.is_some() && !self.is_pattern_whole(block, offset_bytes, position) {
            return false;
        }
        self.form.header_len_bytes == 0 || self.is_header_whole(block, offset_bytes, expected)
    }

    /// Whether a block has the header that is expected at `offset_bytes`, and what that says of the content.
    #[inline]
    fn is_header_whole(&self, block: &[u8], offset_bytes: u64, expected: Expected) -> bool {
        let Ok(header) = Header::read(block) else { return false };
        checksum::is_kind(header.kind, self.form.checksum)
            && header.block_len_bytes as usize == block.len()
            && header.offset_bytes == offset_bytes
            && self.is_content_whole(block)
            && self.is_recent(&header, expected)
    }

    /// Whether the content of a block has the checksum of its header.
    #[inline]
    pub(super) fn is_content_whole(&self, block: &[u8]) -> bool {
        let (front, behind) = block.split_at(self.form.header_len_bytes);
        let stored = &front[header::LEN_BYTES..];
        let mut field = [0; FIELD_LEN_BYTES_MAX];
        let calculated = &mut field[..stored.len()];
        checksum::put(self.form.checksum, behind, calculated);
        *calculated == *stored
    }

    /// Whether the block of a header may be the one that was written last.
    #[inline]
    pub(super) fn is_recent(&self, header: &Header, expected: Expected) -> bool {
        match expected {
            Expected::Any => true,
            Expected::Exactly(number) => header.seed == header::seed_of(self.form.tag, number),
            Expected::NotBefore(_) if header.tag() != self.form.tag => false,
            Expected::NotBefore(_) if header.thread != self.form.thread => self.shares_files,
            Expected::NotBefore(number) => header.number() >= number & NUMBER_MASK,
        }
    }
}
