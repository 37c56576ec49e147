//! Lists of `key=value`, which many lines have.

/// The text after `key` in a list of settings.
pub(super) fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut from = 0;
    while let Some(found) = text[from..].find(key) {
        let at = from + found;
        // `aggrbw=` is not `bw=`.
        if at == 0 || !text.as_bytes()[at - 1].is_ascii_alphanumeric() {
            let value = &text[at + key.len()..];
            return Some(value.split(',').next().unwrap_or(value).trim());
        }
        from = at + key.len();
    }
    None
}
