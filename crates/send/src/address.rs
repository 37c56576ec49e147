//! A server's address, and the token that it knows the user by.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use cardiograph_core::{Message, message};
use cardiograph_store::{TOKEN_BEGIN, TOKEN_DIGITS, is_token};
use serde::{Deserialize, Serialize};
use ureq::http::Uri;

/// Where a server is: `https://HOST` or `https://HOST:PORT`. On this machine it may be `http`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address {
    text: String,
    host: String,
    is_tls: bool,
}

impl Address {
    /// The host, without the brackets of an IPv6 address.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        let is_loopback = self.host.parse().map(|ip: IpAddr| ip.is_loopback());
        is_loopback.unwrap_or(self.host == "localhost")
    }

    /// Whether the connection is encrypted.
    pub fn is_tls(&self) -> bool {
        self.is_tls
    }

    /// As it is written, without a final slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Address {
    type Err = Message;

    /// The error does not repeat a text that may have a secret.
    fn from_str(text: &str) -> Result<Self, Message> {
        if text.contains('@') || is_like_a_token(text) {
            return Err(message!("send-address.secret"));
        }
        let refused = || message!("send-address", address = text);
        let uri: Uri = text.parse().map_err(|_| refused())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(refused)?;
        let is_tls = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(refused()),
        };
        // Pages and API are at the root.
        if uri.path() != "/" || uri.query().is_some() || text.contains('#') || authority.host().is_empty() {
            return Err(message!("send-address.path", address = text));
        }
        let host = authority.host().to_ascii_lowercase();
        let has_port = text.trim_end_matches('/').rsplit(']').next().is_some_and(|end| end.contains(':'));
        let port = match authority.port_u16() {
            Some(port) if port != if is_tls { 443 } else { 80 } => format!(":{port}"),
            None if has_port && authority.as_str() != authority.host() => return Err(refused()),
            _ => String::new(),
        };
        let address = Self {
            text: format!("{scheme}://{host}{port}"),
            host: host.trim_matches(['[', ']']).to_string(),
            is_tls,
        };
        match is_tls || address.is_loopback() {
            true => Ok(address),
            false => Err(message!("send-address.open", address = address.as_str())),
        }
    }
}

impl TryFrom<String> for Address {
    type Error = Message;

    fn try_from(text: String) -> Result<Self, Message> {
        text.parse()
    }
}

impl From<Address> for String {
    fn from(address: Address) -> Self {
        address.text
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A token. It is written to the file of servers and sent to its server, and shown nowhere.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token(String);

impl Token {
    /// The token itself.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

/// Whether a text may be a token, or have one: it must not be shown.
pub fn is_like_a_token(text: &str) -> bool {
    text.to_ascii_lowercase().contains(TOKEN_BEGIN)
        && text.bytes().filter(u8::is_ascii_hexdigit).count() >= TOKEN_DIGITS / 2
}

impl FromStr for Token {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        is_token(text).then(|| Self(text.to_string())).ok_or(message!("send-not-a-token"))
    }
}

impl TryFrom<String> for Token {
    type Error = Message;

    fn try_from(text: String) -> Result<Self, Message> {
        text.parse()
    }
}

impl From<Token> for String {
    fn from(token: Token) -> Self {
        token.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let token = format!("cg_{}", "5".repeat(64));
        let cases = [
            ("https://team.example", Ok("https://team.example")),
            ("https://Team.Example:443/", Ok("https://team.example")),
            ("https://team.example:8443", Ok("https://team.example:8443")),
            ("https://[2001:db8::1]:8443", Ok("https://[2001:db8::1]:8443")),
            ("http://localhost:7878", Ok("http://localhost:7878")),
            ("http://127.0.0.9/", Ok("http://127.0.0.9")),
            ("http://[::1]:7878", Ok("http://[::1]:7878")),
            ("http://team.example", Err("send-address.open")),
            ("http://10.0.0.1:7878", Err("send-address.open")),
            ("http://localhost.team.example", Err("send-address.open")),
            ("http://127.0.0.1.team.example", Err("send-address.open")),
            ("https://team.example/checkups", Err("send-address.path")),
            ("https://team.example?x", Err("send-address.path")),
            ("team.example", Err("send-address")),
            ("/mnt", Err("send-address")),
            ("", Err("send-address")),
            ("ftp://team.example", Err("send-address")),
            ("https://", Err("send-address")),
            ("https://team.example:99999", Err("send-address")),
            ("https://ann:secret@team.example", Err("send-address.secret")),
            (token.as_str(), Err("send-address.secret")),
        ];
        for (text, expected) in cases {
            let found: Result<Address, Message> = text.parse();
            match (&found, expected) {
                (Ok(address), Ok(expected)) => assert_eq!(address.as_str(), expected, "{text}"),
                (Err(refused), Err(expected)) => {
                    assert_eq!(refused.id(), expected, "{text}");
                    assert!(!refused.to_string().contains("secret@") && !refused.to_string().contains("555"));
                }
                _ => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn tokens_are_checked_and_not_shown() {
        let text = format!(" cg_{}\n", "0aF9".repeat(16));
        let token: Token = text.parse().unwrap();
        assert_eq!(token.secret(), text.trim());
        assert_eq!(format!("{token:?}"), "Token");
        for wrong in
            ["", "cg_", "0aF9", &text.trim()[1..], &format!("{}0", text.trim()), &text.replace('9', "g")]
        {
            assert_eq!(wrong.parse::<Token>().unwrap_err(), message!("send-not-a-token"), "{wrong}");
        }
        assert!(is_like_a_token(text.trim()) && is_like_a_token(&format!("--x={}", text.to_uppercase())));
        assert!(!is_like_a_token("label:cg_old") && !is_like_a_token("@last"));
    }
}
