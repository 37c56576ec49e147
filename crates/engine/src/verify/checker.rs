//! Verifies data that is read.

use cardiograph_core::result::{BadSpan, FoundWrite, Mismatch, MismatchKind, Verified};
use cardiograph_core::system_error::cause;
use cardiograph_core::{Parameter, message};

use super::BlockForm;
use super::block_judge::{BlockJudge, Expected};
use super::diagnosis::Diagnosis;
use super::dump::{DUMPS_MAX, dump};
use super::header::Header;

/// Verifies data that is read.
#[derive(Debug)]
pub(crate) struct Checker {
    judge: BlockJudge,
    verified: Verified,
}

impl Checker {
    /// A checker for blocks written by a [`Sealer`](super::Sealer) of the same form, or any other.
    pub fn new(form: BlockForm, shares_files: bool) -> Self {
        Self { judge: BlockJudge { form, shares_files }, verified: Verified::default() }
    }

    /// What to expect for this run's write `number` if an earlier run wrote it.
    pub fn expect_earlier_run(&self, number: u64) -> Expected {
        match self.judge.form.first_write {
            Some(first) => Expected::Exactly(first.wrapping_add(number)),
            None => Expected::Any,
        }
    }

    /// Verifies data that an I/O read at `offset_bytes` of the file `target`. Returns offset and length of
    /// the first bad block, if any.
    pub fn check(
        &mut self,
        target: &str,
        bytes: &mut [u8],
        offset_bytes: u64,
        expected: Expected,
    ) -> Option<(u64, u64)> {
        let header_len = self.judge.form.header_len_bytes;
        if header_len == 0 && self.judge.form.pattern.is_none() {
            return None;
        }
        let len = self.judge.form.block_len_in(bytes.len());
        let mut first = None;
        for (index, block) in bytes.chunks_mut(len).enumerate() {
            if block.len() < header_len {
                continue;
            }
            let position = index * len;
            let at = offset_bytes + position as u64;
            self.verified.blocks += 1;
            if self.judge.form.header_offset_bytes != 0 {
                self.judge.form.swap_header(block);
            }
            if !self.judge.is_whole(block, at, position, expected) {
                let diagnosis = self.judge.diagnose(block, at, expected, position);
                self.note_span(target, at, block, diagnosis.kind);
                let diagnosis = self.dumped(diagnosis, target, block, (at, position), expected);
                self.note_bad(target, at, block.len() as u64, diagnosis);
                first.get_or_insert((at, block.len() as u64));
            }
        }
        first
    }

    /// Records a short read.
    pub fn check_short(&mut self, target: &str, offset_bytes: u64, len_bytes: u64, read_bytes: u64) {
        self.verified.blocks += 1;
        let length = |bytes: u64| message!("verify-length", bytes = bytes.to_string());
        let diagnosis =
            Diagnosis { kind: MismatchKind::Short, expected: length(len_bytes), found: length(read_bytes) };
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

    /// Results so far.
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

    /// Records where a bad block is, and where it belongs.
    #[cold]
    fn note_span(&mut self, target: &str, offset_bytes: u64, block: &[u8], kind: MismatchKind) {
        // Blocks of another run have other numbers and offsets.
        let own = Header::read(block).ok().filter(|header| header.tag() == self.judge.form.tag);
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

    /// Dumps a bad block to files, if requested, and reports it.
    #[cold]
    fn dumped(
        &self,
        diagnosis: Diagnosis,
        target: &str,
        block: &mut [u8],
        (at, position): (u64, usize),
        expected: Expected,
    ) -> Diagnosis {
        if !self.judge.form.dump || self.verified.bad_blocks >= DUMPS_MAX {
            return diagnosis;
        }
        let mut wanted = self.judge.wanted_bytes(block, at, expected, position);
        // Restore the layout in the file.
        self.judge.form.swap_header(block);
        wanted.iter_mut().for_each(|wanted| self.judge.form.swap_header(wanted));
        let found = diagnosis.found;
        let found = match dump(target, at, block, wanted.as_deref()) {
            Ok(files) => message!("verify-dump", found, files = Parameter::all(files)),
            Err(error) => message!("verify-dump.failed", found, error = cause(&error)),
        };
        Diagnosis { found, ..diagnosis }
    }
}
