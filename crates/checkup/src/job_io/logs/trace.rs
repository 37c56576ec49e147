//! Trace of a worker's I/O, for later replay.

use std::collections::BTreeMap;

use cardiograph_core::replay::ReplayStep;
use cardiograph_engine::log::TraceRecord;
use cardiograph_fio::iolog;

/// Maximum number of requests waiting for one issued earlier. If more wait, the slow one is written out of
/// order.
const WAITING_MAX: usize = 1 << 18;

/// Sorts requests, which arrive in order of completion, by order of issue.
#[derive(Debug)]
pub(super) struct Trace {
    /// Index of the file that it is written to.
    pub file: usize,
    /// Names of the worker's files.
    names: Vec<String>,
    next: u64,
    waiting: BTreeMap<u64, TraceRecord>,
    last_ns: u64,
}

impl Trace {
    /// A trace of a worker that uses files with these names. Appends its header to `text`.
    pub fn new(file: usize, names: Vec<String>, text: &mut Vec<u8>) -> Self {
        text.extend_from_slice(format!("{}\n", iolog::HEADER).as_bytes());
        for what in ["add", "open"] {
            names.iter().for_each(|name| iolog::write_file(text, 0, name, what));
        }
        Self { file, names, next: 0, waiting: BTreeMap::new(), last_ns: 0 }
    }

    /// Appends lines that are ready to `text`.
    pub fn take(&mut self, records: &[TraceRecord], text: &mut Vec<u8>) {
        for record in records {
            if record.number == self.next && self.waiting.is_empty() {
                self.write(record, text);
                continue;
            }
            self.waiting.insert(record.number, *record);
            while let Some(entry) = self.waiting.first_entry()
                && (*entry.key() == self.next || self.waiting.len() > WAITING_MAX)
            {
                if let Some((_, record)) = self.waiting.pop_first() {
                    self.write(&record, text);
                }
            }
        }
    }

    /// Appends the rest, including requests waiting for ones that never completed.
    pub fn finish(&mut self, text: &mut Vec<u8>) {
        for record in std::mem::take(&mut self.waiting).into_values() {
            self.write(&record, text);
        }
        self.names.iter().for_each(|name| iolog::write_file(text, self.last_ns, name, "close"));
    }

    fn write(&mut self, record: &TraceRecord, text: &mut Vec<u8>) {
        self.next = self.next.max(record.number + 1);
        self.last_ns = self.last_ns.max(record.started_ns.saturating_add(record.took_ns));
        let name = self.names.get(record.file as usize).map_or("", String::as_str);
        let step = ReplayStep {
            gap_ns: 0,
            not_before_ms: 0,
            action: record.action,
            file: record.file,
            offset_bytes: record.offset_bytes,
            len_bytes: record.len_bytes,
        };
        iolog::write_io(text, record.started_ns, name, &step, record.took_ns);
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::OpKind;

    use super::*;

    fn record(number: u64) -> TraceRecord {
        TraceRecord {
            number,
            started_ns: number * 10_000,
            took_ns: 5,
            action: OpKind::Read,
            file: 0,
            offset_bytes: number,
            len_bytes: 1,
        }
    }

    #[test]
    fn requests_are_in_order_of_issue() {
        let mut text = Vec::new();
        let mut trace = Trace::new(0, vec!["f".to_string()], &mut text);
        let lines = |text: &mut Vec<u8>| {
            let lines = String::from_utf8(std::mem::take(text)).unwrap();
            lines.lines().map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(lines(&mut text), ["fio version 3 iolog", "0 f add", "0 f open"]);
        trace.take(&[record(0), record(2), record(3)], &mut text);
        assert_eq!(lines(&mut text), ["0 f read 0 1 5"]);
        trace.take(&[record(5), record(1)], &mut text);
        assert_eq!(lines(&mut text), ["10 f read 1 1 5", "20 f read 2 1 5", "30 f read 3 1 5"]);
        // Number 4 never completed.
        trace.finish(&mut text);
        assert_eq!(lines(&mut text), ["50 f read 5 1 5", "50 f close"]);
    }

    #[test]
    fn waiting_requests_are_bounded() {
        let mut text = Vec::new();
        let mut trace = Trace::new(0, vec!["f".to_string()], &mut text);
        let all: Vec<_> = (1..WAITING_MAX as u64 + 3).map(record).collect();
        trace.take(&all, &mut text);
        assert!(trace.waiting.is_empty(), "the first was not waited for, and no other is missing");
        text.clear();
        trace.take(&[record(0)], &mut text);
        trace.finish(&mut text);
        assert!(text.starts_with(b"0 f read 0 1 5\n"), "it is written late, and not lost");
    }
}
