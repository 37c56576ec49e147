//! A step's title where room is short: what tells it from its neighbours stands at its end and is kept.

use super::layout::{cut, plain, width};

/// So much is kept of what a step does, with the sign that more stood there.
const ACTION_COLUMNS_MIN: usize = 9;

/// The title in so many columns: whole, or with signs in place of words (`4 KiB, 32 in flight, try 1 of 3` becomes
/// `4 KiB, ×32, try 1 of 3`, and then `try 1/3`); `None` where that is still too long.
pub(super) fn compact(title: &str, columns: usize) -> Option<String> {
    let title = plain(title);
    let forms = [title.clone(), signs(&title, false), signs(&title, true)];
    forms.into_iter().find(|form| width(form) <= columns)
}

/// The title in so many columns. Where signs in place of words are not enough, what is done is cut before what it is done
/// with: `Random write all over the f…, 4 KiB, ×32, try 1/3`.
pub fn title_within(title: &str, columns: usize) -> String {
    if let Some(title) = compact(title, columns) {
        return title;
    }
    let title = signs(&plain(title), true);
    let (action, rest) = title.split_at(title.find(", ").unwrap_or(title.len()));
    match columns.checked_sub(width(rest)) {
        Some(left) if left >= ACTION_COLUMNS_MIN && !rest.is_empty() => {
            format!("{}{rest}", cut(action, left))
        }
        _ => cut(&title, columns),
    }
}

fn signs(title: &str, of_tries: bool) -> String {
    let parts = title.split(", ").map(|part| {
        if let Some(depth) = part.strip_suffix(" in flight") {
            return format!("×{depth}");
        }
        match part.strip_prefix("try ").and_then(|tries| tries.split_once(" of ")) {
            Some((nth, of)) if of_tries => format!("try {nth}/{of}"),
            _ if part == "one at a time" => "×1".to_string(),
            _ => part.to_string(),
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_steps_apart_is_kept() {
        for (title, columns, shown) in [
            ("Random read, 4 KiB, 32 in flight", 38, "Random read, 4 KiB, 32 in flight"),
            ("Random read, 4 KiB, 32 in flight, try 1 of 3", 38, "Random read, 4 KiB, ×32, try 1 of 3"),
            ("Sequential write, 1 MiB, 8 in flight, try 2 of 5", 38, "Sequential write, 1 MiB, ×8, try 2/5"),
            ("Random read and write, 64 KiB, 64 in flight", 38, "Random read and write, 64 KiB, ×64"),
            ("Random read, 4 KiB, one at a time", 31, "Random read, 4 KiB, ×1"),
            ("Sequential write, 1 MiB, 8 in flight, try 2 of 5", 31, "Sequential…, 1 MiB, ×8, try 2/5"),
            ("A title of one part that is long", 16, "A title of one…"),
            ("Read, with so much behind it that nothing fits", 20, "Read, with so much…"),
        ] {
            assert_eq!(title_within(title, columns), shown);
        }
        assert_eq!(compact("randread, 4 KiB, 1 in flight, engine io_uring, jobs 4", 38), None);
    }

    #[test]
    fn no_title_is_wider_than_its_columns() {
        for columns in 1..60 {
            for title in
                ["カードを読む, 4 KiB, 32 in flight, try 1 of 3", "Random read, 4 KiB, 32 in flight", ""]
            {
                assert!(width(&title_within(title, columns)) <= columns, "{columns}: {title}");
            }
        }
    }
}
