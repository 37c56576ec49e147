//! Uses of messages in code.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

/// The macro that creates a message.
const MACRO: &str = "message";

/// A use of a message.
#[derive(Debug, PartialEq, Eq)]
pub struct MessageUse {
    pub line: usize,
    pub id: String,
    pub parameters: BTreeSet<String>,
}

/// Finds `message!("id", name = value)` and `message!("id", name)` in tokens, including those of other macros.
pub fn collect(tokens: TokenStream, uses: &mut Vec<MessageUse>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        collect(group.stream(), uses);
        let is_macro = at >= 2
            && matches!(&tokens[at - 2], TokenTree::Ident(name) if name == MACRO)
            && matches!(&tokens[at - 1], TokenTree::Punct(mark) if mark.as_char() == '!');
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        if let Some(TokenTree::Literal(id)) = inside.first().filter(|_| is_macro) {
            let is = |token: Option<&TokenTree>, marks: &str| match token {
                Some(TokenTree::Punct(mark)) => marks.contains(mark.as_char()),
                other => other.is_none(),
            };
            let after_comma = inside.iter().enumerate().filter_map(|(at, token)| match token {
                TokenTree::Ident(name) if is(inside.get(at - 1), ",") && is(inside.get(at + 1), "=,") => {
                    Some(name.to_string())
                }
                _ => None,
            });
            let (line, id) = (id.span().start().line, id.to_string());
            uses.push(MessageUse {
                line,
                id: id.trim_matches('"').to_string(),
                parameters: after_comma.collect(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_within_other_macros() {
        let code = r#"
            fn look() { vec![message!("a"), message!("b.c", drive = name(1, 2), count = 3)] }
            fn see() { message!("e", name, count = 3 == other, job) }
            const A: Message = message!("d");
        "#;
        let mut uses = Vec::new();
        collect(code.parse().unwrap(), &mut uses);
        let found: Vec<(usize, &str, Vec<&str>)> = uses
            .iter()
            .map(|found| {
                (found.line, found.id.as_str(), found.parameters.iter().map(String::as_str).collect())
            })
            .collect();
        assert_eq!(
            found,
            [
                (2, "a", vec![]),
                (2, "b.c", vec!["count", "drive"]),
                (3, "e", vec!["count", "job", "name"]),
                (4, "d", vec![])
            ]
        );
    }
}
