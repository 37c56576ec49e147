//! Numbers in programs' JSON.

use serde_json::Value;

/// The value at a path of keys.
pub(crate) fn get<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

/// A count. Large ones may be strings, or have a fraction.
pub(crate) fn count(value: &Value) -> Option<u64> {
    if let Some(count) = value.as_u64() {
        return Some(count);
    }
    if let Some(text) = value.as_str() {
        return text.trim().parse().ok();
    }
    let count = value.as_f64()?;
    (count >= 0.0 && count < u64::MAX as f64).then_some(count as u64)
}

/// A count at a path of keys.
pub(crate) fn count_at(value: &Value, path: &str) -> Option<u64> {
    get(value, path).and_then(count)
}

/// A count at a path of keys, if it fits the type.
pub(crate) fn small_at<T: TryFrom<u64>>(value: &Value, path: &str) -> Option<T> {
    count_at(value, path).and_then(|count| count.try_into().ok())
}

/// A temperature at a path of keys, in degrees Celsius.
pub(crate) fn celsius_at(value: &Value, path: &str) -> Option<i32> {
    get(value, path)?.as_i64().and_then(super::plausible_c)
}

/// Text at a path of keys, safe to show.
pub(crate) fn text_at(value: &Value, path: &str) -> Option<String> {
    crate::attribute::clean(get(value, path)?.as_str()?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_counts_are_parsed() {
        for (text, expected) in [
            ("12", Some(12)),
            ("18446744073709551615", Some(u64::MAX)),
            ("1e3", Some(1_000)),
            ("\"113662783\"", Some(113_662_783)),
            ("-1", None),
            ("1e300", None),
            ("\"many\"", None),
            ("null", None),
            ("[1]", None),
        ] {
            assert_eq!(count(&serde_json::from_str(text).unwrap()), expected, "{text}");
        }
    }
}
