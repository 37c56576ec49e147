//! Adds headers to data before it is written.

use cardiograph_core::workload::Content;

use super::header::{self, Header};
use super::{BlockForm, checksum, content};

/// Adds headers to data before it is written.
#[derive(Debug)]
pub(crate) struct Sealer {
    form: BlockForm,
    next_number: u64,
}

impl Sealer {
    /// A sealer for blocks of a form.
    pub fn new(form: BlockForm) -> Self {
        Self { form, next_number: 0 }
    }

    /// Number of sealed writes.
    pub fn writes(&self) -> u64 {
        self.next_number
    }

    /// Seals a write of `bytes` at `offset_bytes` of its file, `since_start_ns` after the job began.
    pub fn seal(&mut self, bytes: &mut [u8], offset_bytes: u64, since_start_ns: u64) {
        let form = &self.form;
        let number = form.first_write.unwrap_or(0).wrapping_add(self.next_number);
        let seed = header::seed_of(form.tag, number);
        self.next_number += 1;
        let header_len = form.header_len_bytes;
        if header_len == 0 {
            return;
        }
        let len = form.block_len_in(bytes.len());
        for (block, at) in bytes.chunks_mut(len).zip((offset_bytes..).step_by(len)) {
            if block.len() < header_len {
                continue;
            }
            if form.content == Content::Stamped {
                content::stamp(block, seed, at, form.thread);
            }
            let header = Header {
                kind: checksum::kind_of(form.checksum),
                block_len_bytes: block.len() as u32,
                seed,
                offset_bytes: at,
                since_start_ns,
                thread: form.thread,
            };
            header.put(block);
            let (front, behind) = block.split_at_mut(header_len);
            checksum::put(form.checksum, behind, &mut front[header::LEN_BYTES..]);
            if form.header_offset_bytes != 0 {
                form.swap_header(block);
            }
        }
    }
}
