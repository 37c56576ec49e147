//! Who asks, in which language, and for what kind of answer.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use cardiograph_catalogue::Language;

use crate::role::{Needs, Role};
use crate::sessions::Person;

/// Whoever made a request. The guard found out, and adds it to the request.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// Who it is, if signed in.
    pub person: Option<Person>,
    /// The language of the answer.
    pub language: Language,
    /// Whether it is a program, which reads JSON.
    pub reads_json: bool,
    /// The path that was asked for.
    pub path: String,
    /// The same with what was asked of it.
    pub address: String,
}

impl Visitor {
    /// Whether they may do what `needs` names.
    pub fn may(&self, needs: Needs) -> bool {
        needs == Needs::Nothing || self.role().is_some_and(|role| role.may(needs))
    }

    /// Their name in the audit list.
    pub fn who(&self) -> &str {
        self.person.as_ref().map_or("", Person::who)
    }

    /// Their role.
    pub fn role(&self) -> Option<Role> {
        self.person.as_ref().map(|person| person.role)
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        parts.extensions.get::<Self>().cloned().ok_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The cookie of the language that somebody chose.
pub const LANGUAGE_COOKIE: &str = "cardiograph-lang";

/// The language of a request: the chosen one, else the first of `Accept-Language` that there is, else `default`.
/// <https://www.rfc-editor.org/rfc/rfc9110#name-accept-language>
pub fn language(headers: &HeaderMap, default: Language) -> Language {
    if let Some(chosen) = cookie(headers, LANGUAGE_COOKIE).and_then(|code| code.parse::<Language>().ok()) {
        return chosen.with_units(default.units);
    }
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut ranked: Vec<(f32, Language)> = Vec::new();
    for part in accepted.split(',') {
        let (range, rest) = part.split_once(';').unwrap_or((part, ""));
        let weight = rest.trim().strip_prefix("q=").map_or(1.0, |q| q.parse().unwrap_or(0.0));
        let code = range.trim().split('-').next().unwrap_or_default().to_ascii_lowercase();
        ranked.extend(code.parse::<Language>().ok().map(|language| (weight, language)));
    }
    // Of equal weights, the first.
    let best = ranked
        .into_iter()
        .filter(|(weight, _)| *weight > 0.0)
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(default, |(_, language)| language.with_units(default.units))
}

/// The value of a cookie.
pub fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_chosen_or_the_accepted_one() {
        for (accepted, cookies, expected) in [
            ("", "", "en"),
            ("ja", "", "ja"),
            ("ja-JP,ja;q=0.9,en;q=0.8", "", "ja"),
            ("de-DE,fr;q=0.9", "", "en"),
            ("de, en;q=0.3, ja;q=0.5", "", "ja"),
            ("ja;q=0, en;q=0.1", "", "en"),
            ("en", "a=b; cardiograph-lang=ja", "ja"),
            ("ja", "cardiograph-lang=xx", "ja"),
            ("ja;q=x", "", "en"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            headers.insert(header::COOKIE, cookies.parse().unwrap());
            assert_eq!(language(&headers, Language::EN).code(), expected, "{accepted} {cookies}");
        }
    }
}
