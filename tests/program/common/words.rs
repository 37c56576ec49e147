//! English wording in tests, by message id: a changed sentence changes the catalogue and a golden file, not these tests.

use std::collections::HashMap;
use std::sync::LazyLock;

use cardiograph_catalogue::Language;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::unicode::unescape_unicode_to_string;

use super::flat;

/// Stands for a parameter in a reading.
const PARAMETER: &str = "\0";

/// English readings of each message and attribute: one for each choice of variants.
static READINGS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for (path, source) in Language::EN.sources() {
        for entry in fluent_syntax::parser::parse(*source).expect(path).body {
            let Entry::Message(message) = entry else { continue };
            let id = message.id.name;
            all.extend(message.value.iter().map(|value| (id.to_string(), readings(value))));
            let parts = message.attributes.iter();
            all.extend(parts.map(|part| (format!("{id}.{}", part.id.name), readings(&part.value))));
        }
    }
    all
});

fn readings(pattern: &Pattern<&str>) -> Vec<String> {
    pattern.elements.iter().fold(vec![String::new()], |begun, element| {
        let ways = match element {
            PatternElement::TextElement { value } => vec![value.to_string()],
            PatternElement::Placeable { expression: Expression::Select { variants, .. } } => {
                variants.iter().flat_map(|variant| readings(&variant.value)).collect()
            }
            PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                InlineExpression::StringLiteral { value } => vec![unescape_unicode_to_string(value).into()],
                _ => vec![PARAMETER.to_string()],
            },
        };
        begun.iter().flat_map(|begun| ways.iter().map(move |way| format!("{begun}{way}"))).collect()
    })
}

/// Whether `text`, however its lines are broken, has the English message `id` with any parameters.
#[track_caller]
pub fn has_message(text: &str, id: &str) -> bool {
    let readings = READINGS.get(id).unwrap_or_else(|| panic!("unknown message '{id}'"));
    let is_distinctive = |reading: &&String| {
        let letters = |piece: &str| piece.chars().filter(|c| c.is_alphabetic()).count();
        !reading.contains(PARAMETER) || reading.split(PARAMETER).any(|piece| letters(piece) >= 8)
    };
    let mut distinctive = readings.iter().filter(is_distinctive).peekable();
    assert!(distinctive.peek().is_some(), "'{id}' has too few words to be recognised");
    let text = flat(text);
    distinctive.any(|reading| {
        let mut pieces = reading.split(PARAMETER).map(flat);
        pieces.try_fold(text.as_str(), |rest, piece| Some(rest.split_once(&piece)?.1)).is_some()
    })
}
