//! Files that pages load: style, script and icon, in the program itself.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
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

/// The style sheet.
pub static STYLE: Asset =
    Asset::new("style.css", "text/css; charset=utf-8", || marked(html::styles() + include_str!("site.css")));

const ICON: &str = include_str!("icon.svg");

fn marked(content: String) -> (String, String) {
    let digest = Sha256::digest(content.as_bytes());
    (digest[..6].iter().map(|byte| format!("{byte:02x}")).collect(), content)
}

/// Sends a file.
pub async fn send(Path(name): Path<String>) -> Response {
    match [&STYLE].into_iter().find(|asset| asset.name == name) {
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
