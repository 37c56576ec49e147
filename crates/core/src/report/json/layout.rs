//! Layout of JSON for people: lists of numbers in lines, and no terminal control characters.

use std::borrow::Cow;

use crate::text::steers;

/// Maximum length of a line of numbers, in characters.
pub const LINE_LEN: usize = 120;

/// Puts lists of numbers, and lists of such lists, into lines of up to [`LINE_LEN`] characters. `text` is indented
/// JSON without newlines in strings, so that lines are tokens.
pub fn gather_numbers(text: &str) -> String {
    let mut out: Vec<Cow<'_, str>> = Vec::new();
    // Start in `out` of each open list that has held only numbers so far.
    let mut open: Vec<usize> = Vec::new();
    for line in text.lines() {
        let token = line.trim_start();
        let is_number = token.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        if token.ends_with('[') {
            // Only a list of lists may hold a list.
            if token != "[" {
                open.clear();
            }
            open.push(out.len());
            out.push(line.into());
        } else if token.starts_with(']') && !open.is_empty() {
            let start = open.pop().expect("one is open");
            let folded = fold(&out[start..], token);
            out.truncate(start);
            out.extend(folded.into_iter().map(Cow::Owned));
        } else {
            if !is_number {
                open.clear();
            }
            out.push(line.into());
        }
    }
    out.join("\n") + "\n"
}

/// One list: its opening line, its items and the token that closes it.
fn fold(lines: &[Cow<'_, str>], close: &str) -> Vec<String> {
    let (head, items) = lines.split_first().expect("a list has an opening line");
    let items: Vec<&str> = items.iter().map(|item| item.trim_start()).collect();
    let on_one_line = format!("{head}{}{close}", items.join(" "));
    if on_one_line.len() <= LINE_LEN {
        return vec![on_one_line];
    }
    let indent = " ".repeat(head.len() - head.trim_start().len());
    let mut folded = vec![head.to_string()];
    let mut line = format!("{indent}  ");
    for item in items {
        if line.trim_start().is_empty() {
            line.push_str(item);
        } else if line.len() + 1 + item.len() <= LINE_LEN {
            line.push(' ');
            line.push_str(item);
        } else {
            folded.push(std::mem::replace(&mut line, format!("{indent}  {item}")));
        }
    }
    folded.push(line);
    folded.push(format!("{indent}{close}"));
    folded
}

/// Escapes terminal control and bidirectional characters as `\u` and their number. The JSON is equivalent: such
/// characters occur only in strings, and `serde_json` leaves those from U+007F on unescaped.
pub fn without_steering(json: String) -> String {
    if !json.contains(steers) {
        return json;
    }
    let mut plain = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) { plain.push_str(&format!("\\u{:04x}", u32::from(c))) } else { plain.push(c) }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_look_like_lists_are_unchanged() {
        let value = serde_json::json!({
            "a": ["[", "]", "1"], "b": [], "c": [[1, 2], [3, 4]], "d": [[1], ["x"]], "e": [1, {"f": [2]}], "g": "["
        });
        let text = gather_numbers(&(serde_json::to_string_pretty(&value).unwrap() + "\n"));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert!(text.contains("\"c\": [[1, 2], [3, 4]]"), "{text}");
    }
}
