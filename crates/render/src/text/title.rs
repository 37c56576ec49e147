//! Shortened titles of steps: the end, which distinguishes the tries, is kept.

use super::layout::{cut, plain, width};

/// Minimum width of the action in a shortened title, including the ellipsis.
const ACTION_COLUMNS_MIN: usize = 9;

/// The title in at most `columns`. The action is cut before the number of the try: `Sequential wri…, try
/// 2/5`.
pub fn title_within(title: &str, columns: usize) -> String {
    let title = plain(title);
    if width(&title) <= columns {
        return title;
    }
    let (action, rest) = title.split_at(title.find(", ").unwrap_or(title.len()));
    match columns.checked_sub(width(rest)) {
        Some(left) if left >= ACTION_COLUMNS_MIN && !rest.is_empty() => {
            format!("{}{rest}", cut(action, left))
        }
        _ => cut(&title, columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distinguishing_end_of_a_title_is_kept() {
        for (title, columns, shown) in [
            ("Random read 4K QD32, try 1/3", 38, "Random read 4K QD32, try 1/3"),
            ("Sequential write 1M QD8, try 2/5", 31, "Sequential write 1M Q…, try 2/5"),
            ("Random mix (50 % reads) 64K QD64, 2 jobs", 38, "Random mix (50 % reads) 64K Q…, 2 jobs"),
            ("A title of one part that is long", 16, "A title of one…"),
            ("Read, with so much behind it that nothing fits", 20, "Read, with so much…"),
        ] {
            assert_eq!(title_within(title, columns), shown);
        }
    }

    #[test]
    fn no_title_is_wider_than_its_columns() {
        for columns in 1..60 {
            for title in ["カードを読む 4K QD32, try 1/3", "Random read 4K QD32", ""] {
                assert!(width(&title_within(title, columns)) <= columns, "{columns}: {title}");
            }
        }
    }
}
