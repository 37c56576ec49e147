//! A document that ends early, as far as it is complete.

/// Depth of the members of a job: the document, its list of jobs, a job.
const DEPTH_MAX: usize = 3;

/// The document up to the last complete part of a job, such as all figures of its reads, closed. `None` if there is
/// none.
pub(super) fn closed(text: &str) -> Option<String> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    let mut complete: Option<(usize, Vec<u8>)> = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_string => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => open.push(b'}'),
            b'[' => open.push(b']'),
            b'}' | b']' => {
                open.pop();
            }
            b',' if open.len() <= DEPTH_MAX => complete = Some((at, open.clone())),
            _ => {}
        }
    }
    let (at, open) = complete?;
    Some(text[..at].chars().chain(open.into_iter().rev().map(char::from)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_end_after_the_last_complete_part() {
        for (text, expected) in [
            (
                r#"{"a": 1, "jobs": [{"n": "x", "read": {"b": 1, "c": [2"#,
                Some(r#"{"a": 1, "jobs": [{"n": "x"}]}"#),
            ),
            (
                r#"{"jobs": [{"n": ",\"}", "read": {"b": 1}, "wr"#,
                Some(r#"{"jobs": [{"n": ",\"}", "read": {"b": 1}}]}"#),
            ),
            (r#"{"jobs": [{"n": 1}, {"#, Some(r#"{"jobs": [{"n": 1}]}"#)),
            (r#"{"jobs": ["#, None),
            ("", None),
        ] {
            assert_eq!(closed(text).as_deref(), expected, "{text}");
        }
    }
}
