//! Expectations of a probe.

use serde_json::Value;

/// An expectation.
#[derive(Debug, Clone, Copy)]
pub enum Expect {
    /// The value at a JSON pointer in standard output.
    Json(&'static str, Want),
    /// Standard output contains this text.
    Says(&'static str),
    /// Standard error contains this text.
    Warns(&'static str),
    /// Neither contains this text.
    Omits(&'static str),
}

/// An expectation of a JSON value.
#[derive(Debug, Clone, Copy)]
pub enum Want {
    /// This text, or this JSON for a number, boolean or null.
    Is(&'static str),
    /// A text that contains this.
    Has(&'static str),
    /// A number, or the length of a list, of at least this.
    AtLeast(f64),
    /// A number, or the length of a list, of at most this.
    AtMost(f64),
}

/// The result of a script.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Said {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code; `None` if the guest ended before.
    pub exit: Option<i32>,
    /// New files on the file system under test.
    pub left: Vec<String>,
}

/// The unmet expectations, a line each.
pub fn differences(said: &Said, exit: i32, expected: &[Expect]) -> Vec<String> {
    let mut differences = Vec::new();
    match said.exit {
        None => differences.push("the guest ended before it".to_string()),
        // From busybox's `timeout`.
        Some(143) if exit != 143 => differences.push("it hung, and was killed".to_string()),
        Some(code) if code != exit => {
            differences.push(format!("the exit code is {code}, and {exit} was expected"))
        }
        Some(_) => {}
    }
    differences.extend(said.left.iter().map(|file| format!("{file} was left behind")));
    if said.err.contains("panicked at") {
        differences.push("it panicked".to_string());
    }
    let needs_json = expected.iter().any(|expect| matches!(expect, Expect::Json(..)));
    let json = match serde_json::from_str::<Value>(&said.out) {
        Err(error) if needs_json => {
            differences.push(format!("standard output is not JSON: {error}"));
            None
        }
        parsed => parsed.ok(),
    };
    for expect in expected {
        let difference = match expect {
            Expect::Json(pointer, want) => json.as_ref().and_then(|json| {
                let found = json.pointer(pointer).unwrap_or(&Value::Null);
                want.difference(found).map(|difference| format!("{pointer} {difference}"))
            }),
            Expect::Says(words) => {
                (!said.out.contains(words)).then(|| format!("standard output lacks {words:?}"))
            }
            Expect::Warns(words) => {
                (!said.err.contains(words)).then(|| format!("standard error lacks {words:?}"))
            }
            Expect::Omits(words) => {
                (said.out.contains(words) || said.err.contains(words)).then(|| format!("{words:?} was said"))
            }
        };
        differences.extend(difference);
    }
    differences
}

impl Want {
    fn difference(self, found: &Value) -> Option<String> {
        let text = found.as_str().map_or_else(|| found.to_string(), str::to_string);
        let number = found.as_array().map_or_else(|| found.as_f64(), |list| Some(list.len() as f64));
        let (holds, wanted) = match self {
            Self::Is(wanted) => (text == wanted, wanted.to_string()),
            Self::Has(wanted) => (text.contains(wanted), format!("a text with {wanted:?}")),
            Self::AtLeast(least) => {
                (number.is_some_and(|number| number >= least), format!("at least {least}"))
            }
            Self::AtMost(most) => (number.is_some_and(|number| number <= most), format!("at most {most}")),
        };
        let shown: String = text.chars().take(200).collect();
        (!holds).then(|| format!("is {shown}, and {wanted} was expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(out: &str) -> Said {
        Said { out: out.to_string(), exit: Some(0), ..Said::default() }
    }

    #[test]
    fn met_expectations_have_no_line() {
        let expected = [
            Expect::Json("/a/0/name", Want::Is("QEMU!")),
            Expect::Json("/a/0/name", Want::Has("EM")),
            Expect::Json("/a", Want::AtLeast(1.0)),
            Expect::Json("/n", Want::Is("7")),
            Expect::Json("/n", Want::AtMost(7.0)),
            Expect::Json("/none", Want::Is("null")),
            Expect::Says("QEMU"),
            Expect::Omits("panic"),
        ];
        assert_eq!(differences(&said(r#"{"a":[{"name":"QEMU!"}],"n":7}"#), 0, &expected), [""; 0]);
    }

    #[test]
    fn each_difference_is_reported() {
        let cases = [
            (Expect::Json("/n", Want::Is("8")), "/n is 7, and 8 was expected"),
            (Expect::Json("/n", Want::AtLeast(8.0)), "/n is 7, and at least 8 was expected"),
            (Expect::Json("/n", Want::AtMost(6.0)), "/n is 7, and at most 6 was expected"),
            (Expect::Json("/t", Want::AtLeast(1.0)), "/t is x, and at least 1 was expected"),
            (Expect::Json("/t", Want::Has("y")), "/t is x, and a text with \"y\" was expected"),
            (Expect::Json("/m", Want::Is("8")), "/m is null, and 8 was expected"),
            (Expect::Says("y"), "standard output lacks \"y\""),
            (Expect::Warns("y"), "standard error lacks \"y\""),
            (Expect::Omits("x"), "\"x\" was said"),
        ];
        for (expect, line) in cases {
            assert_eq!(differences(&said(r#"{"n":7,"t":"x"}"#), 0, &[expect]), [line]);
        }
        let no_json = differences(&said("{"), 0, &[Expect::Json("/n", Want::Is("8"))]);
        assert!(no_json.len() == 1 && no_json[0].starts_with("standard output is not JSON"), "{no_json:?}");
        let bad = Said {
            err: "thread 'main' panicked at src/main.rs".into(),
            exit: Some(101),
            left: vec!["/mnt/x".into()],
            ..Said::default()
        };
        let lines = differences(&bad, 0, &[]);
        assert_eq!(
            lines,
            ["the exit code is 101, and 0 was expected", "/mnt/x was left behind", "it panicked"]
        );
        assert_eq!(
            differences(&Said { exit: Some(143), ..Said::default() }, 0, &[]),
            ["it hung, and was killed"]
        );
        assert_eq!(differences(&Said::default(), 0, &[]), ["the guest ended before it"]);
    }
}
