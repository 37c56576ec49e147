//! JSON with random changes to values that nobody would write.

use cardiograph_core::rng::Rng;
use serde_json::Value;

/// Numbers at the edges of types, sums and limits.
pub const NUMBERS: [&str; 26] = [
    "0",
    "1",
    "-1",
    "2",
    "99",
    "101",
    "255",
    "65536",
    "4294967296",
    "9007199254740993",
    "315360000000000000",
    "315360000000000001",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "0.5",
    "-0.0",
    "1e-300",
    "1e12",
    "1e18",
    "1e30",
    "1.1e30",
    "1e150",
    "-1e150",
    "1.7976931348623157e308",
    "-1.7976931348623157e308",
];

/// Texts that control a terminal, break out of a page, are not names, or are too long.
pub fn texts() -> Vec<String> {
    let nasty = "a\u{1b}[31m\u{1b}]0;x\u{7}\0\u{9b}1m\u{85}\u{202e}\u{2066}\u{200e}\r\n\t<b id='x\">&|`,;=../\u{fffe}\u{2028}";
    let wide = "340282366920938463463374607431768211455";
    [nasty, "", wide, "p-1", "latency_p100", "..", "\u{feff}日本語"]
        .map(str::to_string)
        .into_iter()
        .chain(["x".repeat(70_000)])
        .collect()
}

/// JSON pointers to all parts of a value.
pub fn pointers(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    below(value, String::new(), &mut all);
    all
}

fn below(value: &Value, place: String, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, item)| below(item, format!("{place}/{at}"), all));
        }
        Value::Object(fields) => {
            let name = |key: &str| key.replace('~', "~0").replace('/', "~1");
            fields.iter().for_each(|(key, field)| below(field, format!("{place}/{}", name(key)), all));
        }
        _ => {}
    }
    all.push(place);
}

/// Parses the text of a number.
pub fn number(text: &str) -> Value {
    serde_json::from_str(text).expect("it is a number")
}

/// Makes one change.
pub fn mutate(whole: &mut Value, rng: &mut Rng) {
    let places = pointers(whole);
    let mut any = || places[rng.below(places.len() as u64) as usize].clone();
    let (place, other) = (any(), any());
    let donor = whole.pointer(&other).cloned().unwrap_or_default();
    let Some(value) = whole.pointer_mut(&place) else { return };
    let extreme = number(NUMBERS[rng.below(NUMBERS.len() as u64) as usize]);
    let texts = texts();
    match value {
        Value::Number(old) => {
            let scaled = old.as_u64().map(|old| old.saturating_mul(1 << rng.below(60)).into());
            *value = match rng.below(4) {
                0 if donor.is_number() => donor,
                1 => scaled.unwrap_or(extreme),
                _ => extreme,
            };
        }
        Value::String(text) => *text = texts[rng.below(texts.len() as u64) as usize].clone(),
        Value::Array(items) if !items.is_empty() => {
            let at = rng.below(items.len() as u64) as usize;
            match rng.below(6) {
                0 => items.clear(),
                1 => drop(items.remove(at)),
                2 => items.push(items[at].clone()),
                3 => items.reverse(),
                4 => items.truncate(at),
                // A whole list, so that its entries still agree.
                _ => items.iter_mut().for_each(|item| set_numbers(item, &extreme)),
            }
        }
        Value::Object(fields) if !fields.is_empty() => match rng.below(3) {
            0 => {
                let key = fields.keys().nth(rng.below(fields.len() as u64) as usize).cloned();
                key.map(|key| fields.remove(&key));
            }
            1 => set_numbers(value, &extreme),
            _ if donor.is_object() => *value = donor,
            _ => {}
        },
        _ => *value = donor,
    }
}

/// Sets all numbers of a value, however deep, to one.
fn set_numbers(value: &mut Value, number: &Value) {
    match value {
        Value::Number(_) => *value = number.clone(),
        Value::Array(items) => items.iter_mut().for_each(|item| set_numbers(item, number)),
        Value::Object(fields) => fields.values_mut().for_each(|field| set_numbers(field, number)),
        _ => {}
    }
}
