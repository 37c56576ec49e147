//! JSON in fio's layout.
//!
//! Two spaces a level, `"key" : value`, every value on a line of its own. Scripts exist that read this with line
//! tools, and fio's own converter finds a document by a line that is only `{` and one that is only `}`.

use cardiograph_core::text::steers;

use super::numbers::finite;

/// Puts a document together.
#[derive(Debug, Default)]
pub(super) struct JsonWriter {
    text: String,
    depth: usize,
    has_value: bool,
}

impl JsonWriter {
    /// A whole document: one object, with a newline at its end.
    pub fn document(fill: impl FnOnce(&mut Self)) -> String {
        let mut writer = Self::default();
        writer.nest('{', '}', fill);
        writer.text.push('\n');
        writer.text
    }

    /// An object.
    pub fn object(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.nest('{', '}', fill);
    }

    /// An object, unless it stays empty: line tools stop at the blank line that an empty one has in fio's layout.
    pub fn object_if_any(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        let (len_bytes, had_value) = (self.text.len(), self.has_value);
        let mut is_empty = false;
        self.object(key, |writer| {
            fill(writer);
            is_empty = !writer.has_value;
        });
        if is_empty {
            self.text.truncate(len_bytes);
            self.has_value = had_value;
        }
    }

    /// A list of objects.
    pub fn objects<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(&mut Self, T),
    ) {
        self.list(key, items, |writer, item| writer.nest('{', '}', |writer| fill(writer, item)));
    }

    /// A list of whole numbers.
    pub fn numbers(&mut self, key: &str, items: &[u64]) {
        self.list(key, items, |writer, item| writer.text.push_str(&item.to_string()));
    }

    /// A list of strings.
    pub fn strings(&mut self, key: &str, items: &[String]) {
        self.list(key, items, |writer, item| writer.quoted(item));
    }

    /// A whole number.
    pub fn number(&mut self, key: &str, value: impl Into<i128>) {
        self.key(key);
        self.text.push_str(&value.into().to_string());
    }

    /// A number with six decimals; one that is not finite is written as 0.
    pub fn float(&mut self, key: &str, value: f64) {
        self.key(key);
        self.text.push_str(&format!("{:.6}", finite(value)));
    }

    /// A string.
    pub fn string(&mut self, key: &str, value: &str) {
        self.key(key);
        self.quoted(value);
    }

    fn list<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.key(key);
        self.nest('[', ']', |writer| {
            for item in items {
                writer.begin_value();
                write(writer, item);
            }
        });
    }

    fn nest(&mut self, open: char, close: char, fill: impl FnOnce(&mut Self)) {
        self.text.push(open);
        self.depth += 1;
        self.has_value = false;
        fill(self);
        if !self.has_value {
            // What is empty has an empty line in fio's layout.
            self.text.push('\n');
        }
        self.depth -= 1;
        self.has_value = true;
        self.new_line();
        self.text.push(close);
    }

    fn key(&mut self, key: &str) {
        self.begin_value();
        self.quoted(key);
        self.text.push_str(" : ");
    }

    fn begin_value(&mut self) {
        if self.has_value {
            self.text.push(',');
        }
        self.has_value = true;
        self.new_line();
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }

    fn quoted(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' | '\\' => self.text.extend(['\\', c]),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                c if steers(c) => self.text.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_fios() {
        let text = JsonWriter::document(|json| {
            json.string("a", "b");
            json.object("o", |json| {
                json.number("n", -1);
                json.float("f", 99.9);
            });
            json.object("empty", |_| {});
            json.object_if_any("left out", |_| {});
            json.objects("list", [1, 2], |json, item| json.number("i", item));
            json.numbers("numbers", &[1, u64::MAX]);
        });
        let expected = "{\n  \"a\" : \"b\",\n  \"o\" : {\n    \"n\" : -1,\n    \"f\" : 99.900000\n  },\n  \
            \"empty\" : {\n\n  },\n  \"list\" : [\n    {\n      \"i\" : 1\n    },\n    {\n      \"i\" : 2\n    }\n  ],\n  \
            \"numbers\" : [\n    1,\n    18446744073709551615\n  ]\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn any_text_and_any_number_stay_valid() {
        let text: String =
            (0..0x100).chain([0x2028, 0x202e, 0x2066, 0x1f600]).filter_map(char::from_u32).collect();
        let written = JsonWriter::document(|json| {
            json.string(&text, &text);
            json.strings("list", std::slice::from_ref(&text));
            json.float("nan", f64::NAN);
            json.float("infinite", f64::INFINITY);
        });
        let value: serde_json::Value = serde_json::from_str(&written).unwrap();
        assert_eq!(value[&text], text);
        assert_eq!(value["list"][0], text);
        assert_eq!((&value["nan"], &value["infinite"]), (&0.0.into(), &0.0.into()));
        assert!(written.lines().all(|line| !line.contains(steers)));
    }
}
