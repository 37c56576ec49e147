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

/// Finds `message!("id", name = value)` in tokens, including those of other macros.
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
            let after_comma = inside.windows(3).filter_map(|window| match window {
                [TokenTree::Punct(comma), TokenTree::Ident(name), TokenTree::Punct(equals)]
                    if comma.as_char() == ',' && equals.as_char() == '=' =>
                {
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
        assert_eq!(found, [(2, "a", vec![]), (2, "b.c", vec!["count", "drive"]), (3, "d", vec![])]);
    }
}
