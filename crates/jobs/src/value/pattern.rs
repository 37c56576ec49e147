//! Patterns: bytes that are written repeatedly.
//!
//! A pattern is a sequence of numbers, `"strings"` and `'files'`. A number with `0x` gives the bytes of its digits; a
//! decimal one its little-endian bytes without trailing zeros, or four bytes if negative. `%o` is the offset of the
//! I/O, or of the part in which the pattern restarts.

use cardiograph_core::pattern::{OFFSET_LEN_BYTES, PatternBytes};
use cardiograph_core::text::shown_path;
use cardiograph_core::{Message, message};

/// The longest pattern, in bytes.
pub const PATTERN_LEN_BYTES_MAX: usize = 1 << 20;

/// Use of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternKind {
    /// Content of writes.
    Buffer,
    /// Content of verified blocks: it may contain offsets (`%o`).
    Verify,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Bytes(Vec<u8>),
    Offset,
    File {
        path: String,
        /// Position in the text.
        position: usize,
    },
}

/// A problem at a position, as a phrase.
fn problem_at(position: usize, problem: Message) -> Message {
    message!("jobs-pattern.at", position, problem)
}

/// Parses a pattern. `read` returns the content of a file, or the reason why it cannot: a phrase.
///
/// # Errors
/// The first problem and its position as a phrase: invalid text, an unreadable file, no bytes or too many.
pub fn parse_pattern(
    text: &str,
    kind: PatternKind,
    mut read: impl FnMut(&str) -> Result<Vec<u8>, Message>,
) -> Result<PatternBytes, Message> {
    let mut scanner = Scanner { text, at: 0 };
    let (mut bytes, mut offsets_at) = (Vec::new(), Vec::new());
    while let Some(part) = scanner.next_part(kind)? {
        let mut position = 1;
        match part {
            Part::Bytes(more) => bytes.extend_from_slice(&more),
            Part::Offset => {
                offsets_at.push(bytes.len());
                bytes.extend_from_slice(&[0; OFFSET_LEN_BYTES]);
            }
            Part::File { path, position: at } => {
                position = at;
                let content = read(&path).map_err(|reason| {
                    let path = shown_path(&path);
                    problem_at(position, message!("jobs-pattern.unreadable", path, reason))
                })?;
                bytes.extend_from_slice(&content);
            }
        }
        if bytes.len() > PATTERN_LEN_BYTES_MAX {
            return Err(problem_at(position, message!("jobs-pattern.too-long", max = PATTERN_LEN_BYTES_MAX)));
        }
    }
    if bytes.is_empty() {
        return Err(problem_at(1, message!("jobs-pattern.empty")));
    }
    Ok(PatternBytes::new(bytes, offsets_at))
}

/// A position in a text.
struct Scanner<'a> {
    text: &'a str,
    /// In bytes; always at the start of a character.
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, problem: Message) -> Message {
        problem_at(self.text[..self.at].chars().count() + 1, problem)
    }

    fn unexpected(&self, found: char) -> Message {
        self.error(message!("jobs-pattern.unexpected", found = found.escape_debug().to_string()))
    }

    fn next_part(&mut self, kind: PatternKind) -> Result<Option<Part>, Message> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        match first {
            '"' => Ok(Some(Part::Bytes(self.quoted('"')?.as_bytes().to_vec()))),
            '\'' => {
                let position = self.text[..self.at].chars().count() + 1;
                Ok(Some(Part::File { path: self.quoted('\'')?.to_string(), position }))
            }
            '%' if rest.starts_with("%o") && kind == PatternKind::Verify => {
                self.at += 2;
                Ok(Some(Part::Offset))
            }
            '%' if rest.starts_with("%o") => Err(self.error(message!("jobs-pattern.no-offset-here"))),
            '0' if rest.starts_with("0x") || rest.starts_with("0X") => self.hexadecimal().map(Some),
            '0'..='9' | '+' | '-' => self.decimal().map(Some),
            found => Err(self.unexpected(found)),
        }
    }

    /// The text between two quotes. The quote itself cannot be escaped.
    fn quoted(&mut self, quote: char) -> Result<&'a str, Message> {
        let inside = &self.rest()[quote.len_utf8()..];
        let Some(len) = inside.find(quote) else {
            return Err(self.error(message!("jobs-pattern.unclosed", quote = quote.to_string())));
        };
        self.at += len + 2 * quote.len_utf8();
        Ok(&inside[..len])
    }

    /// Hexadecimal digits as bytes, in order. With an odd number of digits, the first one is a byte.
    fn hexadecimal(&mut self) -> Result<Part, Message> {
        let digits = &self.rest()[2..];
        let mut len = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        if len > 1 && digits[..len].ends_with('0') && digits[len..].starts_with(['x', 'X']) {
            // It starts the next number.
            len -= 1;
        }
        if len == 0 {
            return Err(self.error(message!("jobs-pattern.digits-missing")));
        }
        let values: Vec<u8> =
            digits[..len].chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
        let (odd, pairs) = values.split_at(len % 2);
        self.at += 2 + len;
        let of_pairs = pairs.chunks(2).map(|pair| pair[0] << 4 | pair[1]);
        Ok(Part::Bytes(odd.iter().copied().chain(of_pairs).collect()))
    }

    fn decimal(&mut self) -> Result<Part, Message> {
        let rest = self.rest();
        let signs = rest.len() - rest.trim_start_matches(['+', '-']).len();
        let digits = &rest[signs..];
        let mut len = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if len > 1 && digits[..len].ends_with('0') && digits[len..].starts_with(['x', 'X']) {
            // It starts the next number.
            len -= 1;
        }
        if signs > 1 || len == 0 {
            let found = rest.chars().next().unwrap_or_default();
            return Err(self.unexpected(found));
        }
        let Ok(value) = rest[..signs + len].parse::<i32>() else {
            return Err(self.error(message!("jobs-pattern.number-too-large")));
        };
        self.at += signs + len;
        let bytes = value.to_le_bytes();
        let used = if value < 0 { 4 } else { bytes.iter().rposition(|&byte| byte != 0).unwrap_or(0) + 1 };
        Ok(Part::Bytes(bytes[..used].to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(path: &str) -> Result<Vec<u8>, Message> {
        match path {
            "pf" => Ok(b"FILE\0X".to_vec()),
            "empty" => Ok(Vec::new()),
            "long" => Ok(vec![1; PATTERN_LEN_BYTES_MAX]),
            _ => Err(message!("jobs-pattern.unreadable-here")),
        }
    }

    fn loaded(text: &str, kind: PatternKind) -> Result<PatternBytes, Message> {
        parse_pattern(text, kind, read)
    }

    /// The repeated bytes.
    fn repeated(pattern: &PatternBytes) -> Vec<u8> {
        let mut bytes = vec![0; pattern.len_bytes()];
        pattern.fill(&mut bytes, 0);
        bytes
    }

    /// The bytes that Debian's fio 3.33 writes for each.
    #[test]
    fn patterns_match_fio() {
        let cases: &[(&str, &[u8])] = &[
            ("0xdeadface", &[0xde, 0xad, 0xfa, 0xce]),
            ("0xabc", &[0x0a, 0xbc]),
            ("0x1", &[1]),
            ("0X12", &[0x12]),
            ("0x0001", &[0, 1]),
            ("12", &[12]),
            ("0", &[0]),
            ("010", &[10]),
            ("+5", &[5]),
            ("256", &[0, 1]),
            ("65536", &[0, 0, 1]),
            ("-1", &[0xff; 4]),
            ("-12", &[0xf4, 0xff, 0xff, 0xff]),
            ("-32769", &[0xff, 0x7f, 0xff, 0xff]),
            ("-2147483648", &[0, 0, 0, 0x80]),
            ("\"abcd\"", b"abcd"),
            ("\"a\\nb\"", b"a\\nb"),
            ("\"%o\"", b"%o"),
            ("\"ab\"0x31\"cd\"", b"ab1cd"),
            ("\"ab\"-12", b"ab\xf4\xff\xff\xff"),
            ("\"ab\" 12", b"ab\x0c"),
            ("\"abcd\"-120xdeadface", b"abcd\xf4\xff\xff\xff\xde\xad\xfa\xce"),
            ("100x12", &[10, 0x12]),
            ("1 2 3", &[1, 2, 3]),
            ("5-3", &[5, 0xfd, 0xff, 0xff, 0xff]),
            ("5+3", &[5, 3]),
            ("0xdeadbeef0x31", &[0xde, 0xad, 0xbe, 0xef, 0x31]),
            ("'pf'", b"FILE\0X"),
            ("'pf'\"x\"", b"FILE\0Xx"),
            ("\"a\"'empty'", b"a"),
        ];
        for &(text, expected) in cases {
            for kind in [PatternKind::Buffer, PatternKind::Verify] {
                let found = loaded(text, kind).map(|pattern| repeated(&pattern));
                assert_eq!(found, Ok(expected.to_vec()), "{text}");
            }
        }
    }

    #[test]
    fn errors_have_their_position() {
        let unexpected = |found: &str| message!("jobs-pattern.unexpected", found);
        let reason = message!("jobs-pattern.unreadable-here");
        let unreadable = message!("jobs-pattern.unreadable", path = shown_path("none"), reason);
        let cases = [
            ("", 1, message!("jobs-pattern.empty")),
            ("\"\"", 1, message!("jobs-pattern.empty")),
            ("'empty'", 1, message!("jobs-pattern.empty")),
            ("abcd", 1, unexpected("a")),
            ("\"é\"z", 4, unexpected("z")),
            ("12,13", 3, unexpected(",")),
            ("1\n", 2, unexpected("\\n")),
            ("--5", 1, unexpected("-")),
            ("12\"abc", 3, message!("jobs-pattern.unclosed", quote = "\"")),
            ("'pf", 1, message!("jobs-pattern.unclosed", quote = "'")),
            ("1 0x", 3, message!("jobs-pattern.digits-missing")),
            ("2147483648", 1, message!("jobs-pattern.number-too-large")),
            ("1%o", 2, message!("jobs-pattern.no-offset-here")),
            ("%d", 1, unexpected("%")),
            ("1'none'", 2, unreadable),
            ("1'long'", 2, message!("jobs-pattern.too-long", max = PATTERN_LEN_BYTES_MAX)),
        ];
        for (text, position, problem) in cases {
            let error = loaded(text, PatternKind::Buffer).unwrap_err();
            assert_eq!(error, problem_at(position, problem), "{text}");
        }
    }

    #[test]
    fn a_pattern_repeats_and_holds_the_offset() {
        let fill = |text, len: usize, offset_bytes| {
            let mut bytes = vec![0xee; len];
            loaded(text, PatternKind::Verify).unwrap().fill(&mut bytes, offset_bytes);
            bytes
        };
        assert_eq!(fill("\"abc\"", 8, 0), b"abcabcab");
        assert_eq!(fill("\"abc\"", 2, 0), b"ab");
        assert_eq!(fill("\"x\"%o", 12, 0x0102_0304), b"x\x04\x03\x02\x01\0\0\0\0x\x04\x03");
        assert_eq!(fill("%o%o", 16, 7), [[7, 0, 0, 0, 0, 0, 0, 0]; 2].concat());
        assert!(loaded("%o", PatternKind::Verify).unwrap().has_offsets());
        assert!(!loaded("1", PatternKind::Verify).unwrap().has_offsets());
    }

    #[test]
    fn patterns_restart_in_each_interval() {
        let fill = |text, interval_bytes, offset_bytes| {
            let mut bytes = vec![0xee; 20];
            loaded(text, PatternKind::Verify).unwrap().every(interval_bytes).fill(&mut bytes, offset_bytes);
            bytes
        };
        assert_eq!(fill("\"abc\"", 8, 0), b"abcabcababcabcababca");
        assert_eq!(fill("\"abc\"", 100, 0), b"abcabcabcabcabcabcab");
        // The offset is that of the interval.
        assert_eq!(fill("%o", 10, 256)[..12], [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 10, 1]);
    }

    #[test]
    fn write_offsets_are_read_from_any_piece_that_contains_them() {
        let pattern = loaded("\"x\"%o", PatternKind::Verify).unwrap().every(512);
        let mut write = vec![0; 2_048];
        pattern.fill(&mut write, 40_960);
        for position in [0, 3, 500, 510, 512, 1_030] {
            assert_eq!(pattern.write_offset_in(&write[position..position + 40], position), Some(40_960));
        }
        // Too short for one, and at another offset.
        assert_eq!(pattern.write_offset_in(&write[2..9], 2), None);
        assert_eq!(pattern.write_offset_in(&write[..40], 1_024), Some(40_960 - 1_024));
        let plain = loaded("\"x\"", PatternKind::Verify).unwrap();
        assert_eq!(plain.write_offset_in(&write, 0), None);
    }

    proptest! {
        #[test]
        fn pieces_match_at_their_offset_and_nowhere_with_a_wrong_bit(
            text in "(0x[0-9a-f]{1,9}|%o|\"[a-z]{1,7}\"){1,4}",
            interval_bytes in prop_oneof![Just(0), 1..600_u64],
            offset_bytes in 0..1_u64 << 40,
            begin in 0..1_000_usize,
            len in 1..1_000_usize,
            bit in 0..8_000_usize,
        ) {
            let pattern = loaded(&text, PatternKind::Verify).unwrap().every(interval_bytes);
            let mut write = vec![0; 2_000];
            pattern.fill(&mut write, offset_bytes);
            let piece = &mut write[begin..begin + len];
            prop_assert!(pattern.matches(piece, begin, offset_bytes));
            piece[bit / 8 % len] ^= 1 << (bit % 8);
            prop_assert!(!pattern.matches(piece, begin, offset_bytes));
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "(\\PC|[-+\"'%o x0-9a-f]){0,40}") {
            for kind in [PatternKind::Buffer, PatternKind::Verify] {
                if let Ok(pattern) = loaded(&text, kind) {
                    let mut bytes = vec![0; 100];
                    pattern.fill(&mut bytes, 1);
                    prop_assert!(pattern.len_bytes() > 0);
                }
            }
        }
    }
}
