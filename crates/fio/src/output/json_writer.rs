//! JSON in fio's layout.
//!
//! Two spaces per level, `"key" : value`, every value on its own line. Some scripts read this with line tools, and
//! fio's own converter finds a document by a line that is only `{` and one that is only `}`.

use std::io::{self, Write};

use cardiograph_core::text::steers;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::ser::Formatter;

/// An object that keeps its keys in insertion order.
#[derive(Default)]
pub(super) struct Object<'a>(Vec<(String, Member<'a>)>);

/// A member of an object.
enum Member<'a> {
    Value(Value),
    Object(Object<'a>),
    /// A list of objects, each made when it is written: together they take five times the memory of their text.
    Objects(usize, Box<dyn Fn(usize) -> Object<'a> + 'a>),
}

impl<'a> Object<'a> {
    /// Creates the object built by `fill`.
    pub fn new(fill: impl FnOnce(&mut Self)) -> Self {
        let mut object = Self::default();
        fill(&mut object);
        object
    }

    /// Adds a number, a text, or a list of them. A number with a fraction is written with six decimals, a non-finite
    /// one as 0.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        self.0.push((key.to_string(), Member::Value(value.into())));
    }

    /// Adds an object.
    pub fn object(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        self.0.push((key.to_string(), Member::Object(Self::new(fill))));
    }

    /// Adds an object unless it is empty: line tools stop at the blank line of an empty object in fio's layout.
    pub fn object_if_any(&mut self, key: &str, fill: impl FnOnce(&mut Self)) {
        let object = Self::new(fill);
        if !object.0.is_empty() {
            self.0.push((key.to_string(), Member::Object(object)));
        }
    }

    /// Adds a list of objects.
    pub fn objects<T>(&mut self, key: &str, items: &'a [T], fill: impl Fn(&mut Self, &'a T) + 'a) {
        let object = move |at: usize| Self::new(|object| fill(object, &items[at]));
        self.0.push((key.to_string(), Member::Objects(items.len(), Box::new(object))));
    }

    /// The whole document, with a trailing newline.
    pub fn document(&self) -> String {
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, FioLayout::default());
        self.serialize(&mut serializer).expect("a Vec takes all");
        bytes.push(b'\n');
        String::from_utf8(bytes).expect("JSON is UTF-8")
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, member)| (key, member)))
    }
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Object(object) => object.serialize(serializer),
            Self::Objects(count, object) => serializer.collect_seq((0..*count).map(object)),
        }
    }
}

/// fio's line ends and number format.
#[derive(Debug, Default)]
struct FioLayout {
    depth: usize,
    has_value: bool,
}

impl FioLayout {
    fn open<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        if !self.has_value {
            // In fio's layout, an empty object has a blank line.
            writer.write_all(b"\n")?;
        }
        self.depth -= 1;
        self.new_line(writer)?;
        writer.write_all(bracket)
    }

    fn begin_value<W: ?Sized + Write>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        if !is_first {
            writer.write_all(b",")?;
        }
        self.new_line(writer)
    }

    fn new_line<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.has_value = true;
        write!(writer, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for FioLayout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_value(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b" : ")
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{value:.6}")
    }

    /// Writes a non-finite number.
    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.write_f64(writer, 0.0)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, text: &str) -> io::Result<()> {
        for c in text.chars() {
            if steers(c) {
                write!(writer, "\\u{:04x}", u32::from(c))?;
            } else {
                write!(writer, "{c}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_matches_fio() {
        let document = Object::new(|json| {
            json.set("a", "b");
            json.object("o", |json| {
                json.set("n", -1);
                json.set("f", 99.9);
            });
            json.object("empty", |_| {});
            json.object_if_any("left out", |_| {});
            json.objects("list", &[1, 2], |json, item| json.set("i", *item));
            json.set("numbers", [1, u64::MAX].as_slice());
        });
        let expected = "{\n  \"a\" : \"b\",\n  \"o\" : {\n    \"n\" : -1,\n    \"f\" : 99.900000\n  },\n  \
            \"empty\" : {\n\n  },\n  \"list\" : [\n    {\n      \"i\" : 1\n    },\n    {\n      \"i\" : 2\n    }\n  ],\n  \
            \"numbers\" : [\n    1,\n    18446744073709551615\n  ]\n}\n";
        assert_eq!(document.document(), expected);
    }

    #[test]
    fn any_text_and_number_is_valid() {
        let text: String =
            (0..0x100).chain([0x2028, 0x202e, 0x2066, 0x1f600]).filter_map(char::from_u32).collect();
        let document = Object::new(|json| {
            json.set(&text, text.as_str());
            json.set("list", std::slice::from_ref(&text));
            json.set("nan", f64::NAN);
            json.set("infinite", f64::INFINITY);
        });
        let written = document.document();
        let value: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(value[&text], text);
        assert_eq!(value["list"][0], text);
        assert_eq!((&value["nan"], &value["infinite"]), (&0.0.into(), &0.0.into()));
        assert!(written.lines().all(|line| !line.contains(steers)));
    }
}
