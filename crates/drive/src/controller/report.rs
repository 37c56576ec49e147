//! Parsing of human-readable reports: lines of a name, a colon and a value.

/// Name and value of a line, trimmed; `None` for other lines.
pub(super) fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    Some((name.trim(), value.trim()))
}

/// The first value with a name.
pub(super) fn value<'a>(lines: &[&'a str], name: &str) -> Option<&'a str> {
    lines.iter().filter_map(|line| field(line)).find(|(its, _)| *its == name).map(|(_, value)| value)
}

/// Sections that start at lines accepted by `begins`, each with its result for the first line.
pub(super) fn sections<'a, T>(
    lines: &[&'a str],
    begins: impl Fn(&str) -> Option<T>,
) -> Vec<(T, Vec<&'a str>)> {
    let mut sections: Vec<(T, Vec<&str>)> = Vec::new();
    for line in lines {
        if let Some(report) = begins(line) {
            sections.push((report, vec![line]));
        } else if let Some((_, section)) = sections.last_mut() {
            section.push(line);
        }
    }
    sections
}

/// A size such as `256 KB`, `64 KiB` or `2.0 MB`, all of them powers of 1024 bytes.
pub(super) fn size_bytes(size: &str) -> Option<u64> {
    let (number, unit) = size.split_once(' ')?;
    let unit_bytes: u64 = match unit {
        "B" => 1,
        "KB" | "KiB" => 1 << 10,
        "MB" | "MiB" => 1 << 20,
        _ => return None,
    };
    number.trim_end_matches(".0").parse::<u64>().ok()?.checked_mul(unit_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_sections() {
        let lines = ["x", "Drive: 0 (Target Id: 0)", "  Size : 1 KB", "Drive: 1", "Size: 2 KB", "Size: 3 KB"];
        assert_eq!(field(lines[1]), Some(("Drive", "0 (Target Id: 0)")));
        let found = sections(&lines, |line| line.starts_with("Drive").then_some(()));
        assert_eq!(found.len(), 2);
        assert_eq!(value(&found[0].1, "Size"), Some("1 KB"));
        assert_eq!(value(&found[1].1, "Size"), Some("2 KB"));
        assert_eq!(value(&found[1].1, "State"), None);
    }

    #[test]
    fn sizes_use_powers_of_1024() {
        for (size, bytes) in [
            ("256 KB", Some(262_144)),
            ("64 KiB", Some(65_536)),
            ("1 MB", Some(1 << 20)),
            ("2.0 MB", Some(2 << 20)),
            ("2.5 MB", None),
            ("64 XB", None),
            ("KB", None),
            ("18446744073709551615 KB", None),
        ] {
            assert_eq!(size_bytes(size), bytes, "{size}");
        }
    }
}
