//! Files that pages load: style, script and icon, in the program itself.

use std::sync::{LazyLock, OnceLock};

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cardiograph_catalogue::Language;
use cardiograph_core::Message;
use cardiograph_render::html;
use sha2::{Digest, Sha256};

/// A file, whose address changes with its content, so that browsers may keep it for ever.
pub struct Asset {
    name: &'static str,
    kind: &'static str,
    content: LazyLock<(String, String)>,
}

impl Asset {
    const fn new(name: &'static str, kind: &'static str, content: fn() -> (String, String)) -> Self {
        Self { name, kind, content: LazyLock::new(content) }
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("/assets/{}?v={}", self.name, self.content.0)
    }
}

/// The style sheet: of documents, then of what only pages have.
pub static STYLE: Asset = Asset::new("style.css", "text/css; charset=utf-8", || {
    marked([&html::styles(), include_str!("../ui/dist/app.css"), include_str!("site.css")].concat())
});

/// The script, built from `ui/`.
pub static SCRIPT: Asset = Asset::new("app.js", "text/javascript; charset=utf-8", || {
    marked(include_str!("../ui/dist/app.js").to_string())
});

const ICON: &str = include_str!("icon.svg");

fn marked(content: String) -> (String, String) {
    let digest = Sha256::digest(content.as_bytes());
    (digest[..6].iter().map(|byte| format!("{byte:02x}")).collect(), content)
}

/// The texts that the script needs, as a JSON object by id; `{name}` stands for each parameter.
pub fn words(language: Language) -> &'static str {
    static WORDS: [OnceLock<String>; Language::ALL.len()] = [const { OnceLock::new() }; Language::ALL.len()];
    WORDS[language.index()].get_or_init(|| words_in(language))
}

fn words_in(language: Language) -> String {
    const PARAMETERS: [&str; 25] = [
        "after", "before", "count", "elapsed", "high", "left", "limit", "low", "most", "now", "part",
        "percent", "places", "rate", "saved", "stalls", "step", "steps", "time", "title", "value", "what",
        "whole", "why", "name",
    ];
    let ids: Vec<String> =
        serde_json::from_str(include_str!("../ui/words.json")).expect("it is a list of ids");
    let text = |id: &str| {
        let with = |message: Message, name: &'static str| message.with(name, format!("{{{name}}}"));
        language.text(&PARAMETERS.into_iter().fold(Message::from_data(id), with))
    };
    let texts: serde_json::Map<String, serde_json::Value> =
        ids.iter().map(|id| id.trim_start_matches('@')).map(|id| (id.to_string(), text(id).into())).collect();
    // In an element of a page, "</script>" would end it.
    serde_json::Value::Object(texts).to_string().replace('<', "\\u003c")
}

/// Sends a file.
pub async fn send(Path(name): Path<String>) -> Response {
    match [&STYLE, &SCRIPT].into_iter().find(|asset| asset.name == name) {
        Some(asset) => {
            let headers = [
                (header::CONTENT_TYPE, asset.kind),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, asset.content.1.as_str()).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Sends the icon.
pub async fn icon() -> Response {
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")];
    (headers, ICON).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_of_the_script_are_known() {
        for language in Language::ALL {
            let texts: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(words(language)).unwrap();
            assert!(texts.len() > 40);
            for (id, text) in texts {
                let text = text.as_str().unwrap();
                assert!(!text.is_empty() && text != id, "{id}: {text}");
            }
        }
    }
}
