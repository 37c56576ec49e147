//! Removes what copying adds to outputs: terminal colours, quote marks of mails and forums, the time, host and process
//! of a log, and the name of a container. Lines keep their numbers.

use std::borrow::Cow;

/// Maximum number of prefixes before a line: quotes of quotes.
const NESTED_MAX: usize = 8;

/// What container runtimes and loggers write after the time.
const SOURCES: [&str; 7] =
    ["stdout F ", "stderr F ", "stdout P ", "stderr P ", "INFO ", "DEBUG ", "WARNING "];
/// Fewer lines may begin alike by chance.
const COMMON_LINES_MIN: usize = 4;

/// The text without what copying added.
pub(super) fn plain(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = if text.contains(['\u{1b}', '\u{9b}']) { Cow::Owned(without_escapes(&text)) } else { text };
    let mut lines: Vec<&str> = text.split('\n').map(unquoted).collect();
    let mut is_changed = lines.iter().map(|line| line.len() + 1).sum::<usize>() != text.len() + 1;
    is_changed |= strip_bars(&mut lines);
    is_changed |= strip_common(&mut lines);
    if is_changed { Cow::Owned(lines.join("\n")) } else { text }
}

/// Removes control sequences (ECMA-48): colours, cursor movements, window titles.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '\u{9b}']) {
        plain.push_str(&rest[..at]);
        let mut letters = rest[at..].char_indices().peekable();
        let introducer = match letters.next() {
            Some((_, '\u{1b}')) => letters.next_if(|(_, letter)| *letter != '\n').map(|(_, letter)| letter),
            _ => Some('['),
        };
        // A sequence that was cut off ends with its line.
        let mut skip_while = |is_inside: fn(char) -> bool| {
            while letters.next_if(|(_, letter)| is_inside(*letter)).is_some() {}
        };
        match introducer {
            Some('[') => {
                skip_while(|letter| matches!(letter, ' '..='?'));
                letters.next_if(|(_, letter)| matches!(letter, '@'..='~'));
            }
            Some(']') => {
                skip_while(|letter| !matches!(letter, '\u{7}' | '\u{1b}' | '\n'));
                letters.next_if(|(_, letter)| *letter == '\u{7}');
            }
            // The character set follows.
            Some('(' | ')') => drop(letters.next_if(|(_, letter)| *letter != '\n')),
            _ => {}
        }
        rest = letters.peek().map_or("", |(next, _)| &rest[at + next..]);
    }
    plain.push_str(rest);
    plain
}

/// A line without quote marks and log prefixes.
fn unquoted(line: &str) -> &str {
    let mut rest = line;
    for _ in 0..NESTED_MAX {
        // `>=64=0.0%` of fio may begin a wrapped line.
        let quoted = rest.trim_start().strip_prefix('>').filter(|text| !text.starts_with('='));
        let Some(text) = quoted.map(without_space).or_else(|| after_time(rest)) else { break };
        rest = text;
    }
    rest
}

fn without_space(text: &str) -> &str {
    text.strip_prefix(' ').unwrap_or(text)
}

/// The text after the time of a log, with the host and the process of a journal: `Nov 23 16:53:01 pi fio[123]: `,
/// `2025-11-23T16:53:01+0100 pi fio[123]: `, `2025-11-23T15:53:01.1234567Z `, `[16:53:01] `, `[    5.123456] `.
fn after_time(line: &str) -> Option<&str> {
    let start = line.strip_prefix('[').unwrap_or(line);
    let clock = after_date(start).unwrap_or(start);
    let since_boot = || after_seconds(start).filter(|rest| rest.starts_with(']'));
    let rest = after_clock(clock).or_else(since_boot)?;
    let rest = rest.strip_prefix(']').unwrap_or(rest);
    if !rest.is_empty() && !rest.starts_with([' ', '\t', '\r']) {
        return None;
    }
    let rest = without_space(rest);
    let rest = after_process(rest).unwrap_or(rest);
    Some(SOURCES.iter().find_map(|source| rest.strip_prefix(source)).unwrap_or(rest))
}

/// Seconds since the start of the kernel: `    5.123456`.
fn after_seconds(text: &str) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let text = text.trim_start_matches(' ');
    let fraction =
        text.trim_start_matches(is_digit).strip_prefix('.').filter(|_| text.starts_with(is_digit))?;
    Some(fraction.trim_start_matches(is_digit))
}

/// `Nov 23 `, `2025-11-23T`, `2025-11-23 `.
fn after_date(text: &str) -> Option<&str> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    if let Some(rest) = MONTHS.iter().find_map(|month| text.strip_prefix(month)?.strip_prefix(' ')) {
        let day = without_space(rest);
        return day
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix(' ')
            .filter(|_| day.starts_with(|c: char| c.is_ascii_digit()));
    }
    let rest = after_digits(text, 4)?.strip_prefix('-')?;
    let rest = after_digits(after_digits(rest, 2)?.strip_prefix('-')?, 2)?;
    rest.strip_prefix(['T', ' '])
}

/// `16:53:01`, with a fraction and a time zone, if any.
fn after_clock(text: &str) -> Option<&str> {
    let rest = after_digits(after_digits(text, 2)?.strip_prefix(':')?, 2)?.strip_prefix(':')?;
    let rest = after_digits(rest, 2)?;
    let fraction =
        rest.strip_prefix(['.', ',']).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let rest = fraction.unwrap_or(rest);
    let is_zone = |c: char| c.is_ascii_digit() || c == ':';
    let zone = rest.strip_prefix(['+', '-']).map(|rest| rest.trim_start_matches(is_zone));
    Some(zone.or_else(|| rest.strip_prefix('Z')).unwrap_or(rest))
}

fn after_digits(text: &str, count: usize) -> Option<&str> {
    let digits = text.get(..count)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| &text[count..])
}

/// `pi fio[123]: `, `fio[123]: `.
fn after_process(text: &str) -> Option<&str> {
    let (process, rest) = text.split_once("]:")?;
    let (host, process) = process.split_once(' ').unwrap_or(("localhost", process));
    let (name, number) = process.split_once('[')?;
    let is_name = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == ':');
    (is_name(host) && is_name(name) && number.parse::<u32>().is_ok()).then(|| without_space(rest))
}

/// Removes what all lines begin with: `fio-1  | ` of containers, `# ` of comments. Returns whether there was any.
fn strip_common(lines: &mut [&str]) -> bool {
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    let Some(first) = filled().next() else { return false };
    let shared = |len: usize, line: &&str| {
        len.min(line.bytes().zip(first.bytes()).take_while(|(one, other)| one == other).count())
    };
    let len = filled().fold(first.len(), shared);
    let prefix = first.get(..len).unwrap_or_default();
    let Some(end) = prefix.rfind(['|', '#']) else { return false };
    // A column of a table that is the same in all rows is not one.
    let is_table = filled().all(|line| line[end + 1..].contains('|'));
    let is_json = first[end + 1..].trim_start().starts_with('{');
    let is_row = filled().count() < COMMON_LINES_MIN && !is_json || is_table;
    if !is_row {
        lines.iter_mut().for_each(|line| *line = line.get(end + 1..).map_or("", without_space));
    }
    !is_row
}

/// Removes bars before all lines of a block; not those of a Markdown table, nor fio's before percentiles. Returns
/// whether there were any.
fn strip_bars(lines: &mut [&str]) -> bool {
    let mut is_changed = false;
    for block in lines.chunk_by_mut(|one, other| is_barred(one) && is_barred(other)) {
        let is_table = |line: &&str| line.trim_end().len() > 1 && line.trim_end().ends_with('|');
        let is_quote = is_barred(block[0])
            && !block.iter().any(is_table)
            && !block.iter().all(|line| line.contains("th=["));
        if is_quote {
            is_changed = true;
            block.iter_mut().for_each(|line| *line = without_space(&line.trim_start()[1..]));
        }
    }
    is_changed
}

fn is_barred(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

#[cfg(test)]
mod tests;
