//! Lines that a mail program wrapped.

use std::borrow::Cow;

/// Maximum number of lines that one became.
const PARTS_MAX: usize = 5;

/// Joins wrapped lines; the lines that were joined to one before are empty.
pub(super) fn joined(lines: Vec<&str>) -> Vec<Cow<'_, str>> {
    let mut all: Vec<Cow<'_, str>> = Vec::with_capacity(lines.len());
    let mut at = 0;
    while at < lines.len() {
        let mut line = Cow::Borrowed(lines[at]);
        let mut used = 1;
        while used < PARTS_MAX && lines.get(at + used).is_some_and(|next| continues(&line, next)) {
            line = Cow::Owned(format!("{} {}", line.trim_end(), lines[at + used].trim_start()));
            used += 1;
        }
        all.push(line);
        all.extend(std::iter::repeat_n(Cow::Borrowed(""), used - 1));
        at += used;
    }
    all
}

/// Whether `next` is the rest of a line with figures: fio ends none with a comma or in a setting without its value.
fn continues(line: &str, next: &str) -> bool {
    const WORDS: [&str; 14] = [
        "read", "write", "trim", "mixed", "READ", "WRITE", "TRIM", "MIXED", "slat", "clat", "lat", "sync",
        "bw", "iops",
    ];
    let (line, next) = (line.trim(), next.trim_start());
    let word = line.split([' ', ':', '(']).next().unwrap_or("");
    if line.starts_with('|') {
        let is_open = line.contains("th=[") && line.ends_with([',', '[', '=']);
        return is_open && next.starts_with(|c: char| c.is_ascii_digit());
    }
    let is_figures = WORDS.contains(&word) || line.contains(": (g=");
    is_figures
        && !next.starts_with('|')
        && (line.ends_with([',', '='])
            || next.starts_with('(')
            || next.starts_with("io=")
            || next.starts_with("run="))
}
