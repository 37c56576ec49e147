//! The contents of a catalogue, for checks.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser::ParserError;

use crate::Language;

/// The messages and attributes of a catalogue, with the parameters that they use.
pub type Known = BTreeMap<String, BTreeSet<String>>;

/// The contents of a language's catalogue.
///
/// # Panics
/// If its source is malformed.
pub fn known(language: Language) -> Known {
    let mut known = Known::new();
    for (path, source) in language.sources() {
        let resource = fluent_syntax::parser::parse(*source).unwrap_or_else(|(_, errors)| {
            let line = |error: &ParserError| source[..error.pos.start].lines().count().max(1);
            let told = |error: &ParserError| format!("{path}:{}: {}", line(error), error.kind);
            panic!("{}", errors.iter().map(told).collect::<Vec<_>>().join("\n"))
        });
        for entry in &resource.body {
            let Entry::Message(message) = entry else {
                assert!(!matches!(entry, Entry::Term(_) | Entry::Junk { .. }), "{path}: {entry:?}");
                continue;
            };
            let id = message.id.name;
            let values = message.value.iter().map(|value| (id.to_string(), value));
            let attributes = message.attributes.iter().map(|of| (format!("{id}.{}", of.id.name), &of.value));
            for (id, pattern) in values.chain(attributes) {
                let mut parameters = BTreeSet::new();
                collect(pattern, &mut parameters);
                assert!(known.insert(id.clone(), parameters).is_none(), "{path}: {id} stands twice");
            }
        }
    }
    known
}

fn collect(pattern: &Pattern<&str>, parameters: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        let of = |inline: &InlineExpression<&str>, parameters: &mut BTreeSet<String>| {
            match inline {
                InlineExpression::VariableReference { id } => _ = parameters.insert(id.name.to_string()),
                // Entries are parsed one by one.
                InlineExpression::MessageReference { id, .. } => {
                    panic!("{} is used by another entry", id.name)
                }
                _ => {}
            }
        };
        match expression {
            Expression::Inline(inline) => of(inline, parameters),
            Expression::Select { selector, variants } => {
                of(selector, parameters);
                variants.iter().for_each(|variant| collect(&variant.value, parameters));
            }
        }
    }
}
