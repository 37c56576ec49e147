//! One server: what is asked, and what its answers mean.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cardiograph_catalogue::{Language, english};
use cardiograph_core::message::with_english;
use cardiograph_core::system_error::cause;
use cardiograph_core::{Message, Parameter, Report, json, message};
use cardiograph_store::TOKEN_BEGIN;
use flate2::Compression;
use flate2::write::GzEncoder;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde::Deserialize;
use ureq::http::{Response, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::proxy::proxy_of;
use crate::{Address, Server, Token};

/// How long to wait for a name and for a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for an answer about the token.
const ME_PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait until a Report is saved there, besides a second for each of so many bytes: a slow uplink.
const SEND_PATIENCE: Duration = Duration::from_secs(60);
const BYTES_PER_S: u64 = 16 << 10;
/// How long to wait at a server's request before a Report is kept for later.
const WAIT_MAX: Duration = Duration::from_secs(10);
/// Longer answers are not those of a server of ours.
const ANSWER_LEN_BYTES_MAX: u64 = 64 << 10;
/// As much of a server's own words is shown.
const SAID_CHARS_MAX: usize = 300;

/// The owner of the token, and the server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Name of the token.
    pub name: String,
    /// What its owner may do: a word of the server.
    pub role: String,
    /// The version of the server's program.
    pub version: String,
}

impl Me {
    /// Whether the role is known not to send.
    pub fn cannot_send(&self) -> bool {
        ["viewer", "operator"].contains(&self.role.as_str())
    }
}

/// Why a Report was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failed {
    /// What happened, and what to do.
    pub why: Message,
    /// What follows.
    pub fate: Fate,
}

/// What becomes of a Report that was not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The server will never take it.
    Refused,
    /// It is to be sent later. Others may be taken.
    Kept,
    /// It is to be sent later, and no other can be sent now.
    AllKept,
}

/// A client of a server. Connections are reused.
pub struct Client {
    agent: Agent,
    address: Address,
    token: Token,
    language: Language,
    /// How long to wait for each request, besides its length.
    patience: Duration,
}

/// What a server answers to a Report.
#[derive(Deserialize)]
struct Saved {
    id: String,
    saved: String,
    page: String,
}

impl Client {
    /// A client that asks for answers in a language. `env` looks up an environment variable. Nothing is sent yet.
    ///
    /// # Errors
    /// When certificates cannot be read, or the proxy is not one.
    pub fn new(
        server: &Server,
        language: Language,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Message> {
        let Server { address, token, ca, .. } = server;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            // The token is for this server alone.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy_of(server, env)?)
            .timeout_resolve(Some(CONNECT_PATIENCE))
            .timeout_connect(Some(CONNECT_PATIENCE))
            .user_agent(concat!("cardiograph/", env!("CARGO_PKG_VERSION")));
        // A file that is not there is noticed where it is not needed, too.
        if address.is_tls() || ca.is_some() {
            let tls = TlsConfig::builder()
                .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
                .root_certs(RootCerts::new_with_certs(&certificates(ca.as_deref())?));
            config = config.tls_config(tls.build());
        }
        let (address, token) = (address.clone(), token.clone());
        Ok(Self { agent: config.build().new_agent(), address, token, language, patience: SEND_PATIENCE })
    }

    /// The server's address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Asks whose token this is.
    ///
    /// # Errors
    /// When the server cannot be reached, or does not know the token.
    pub fn me(&self) -> Result<Me, Failed> {
        let asked = self.agent.get(format!("{}/api/v1/me", self.address));
        let asked = asked
            .header(header::AUTHORIZATION, self.bearer())
            .header(header::ACCEPT_LANGUAGE, self.language.code())
            .config()
            .timeout_global(Some(ME_PATIENCE.min(self.patience)))
            .build();
        let mut answer = asked.call().map_err(|error| self.unreachable(&error))?;
        let body = self.body_of(&mut answer)?;
        match answer.status().as_u16() {
            200 => serde_json::from_slice(&body).map_err(|_| self.stranger()),
            _ => Err(self.refusal(&answer, &body)),
        }
    }

    /// Sends a Report, again when the server asks for a little patience. Returns the address of its page. Afterwards the
    /// server has it on disk.
    ///
    /// # Errors
    /// When it does not.
    pub fn send(&self, report: &Report) -> Result<String, Failed> {
        let body = gzip(with_english(english, || json::to_json(report)).as_bytes());
        let mut waited = Duration::ZERO;
        loop {
            let (answer, text) = self.post(&body)?;
            let status = answer.status().as_u16();
            if matches!(status, 200 | 201) {
                let saved: Saved = serde_json::from_slice(&text).map_err(|_| self.stranger())?;
                let is_saved = saved.id == report.id && ["new", "same", "replaced"].contains(&&*saved.saved);
                let is_path = saved.page.starts_with('/') && !saved.page.starts_with("//");
                return match is_saved && is_path {
                    true => Ok(format!("{}{}", self.address, saved.page)),
                    false => Err(self.stranger()),
                };
            }
            let pause = retry_after(&answer)
                .filter(|pause| matches!(status, 429 | 503) && waited + *pause <= WAIT_MAX);
            let Some(pause) = pause else { return Err(self.refusal(&answer, &text)) };
            std::thread::sleep(pause);
            // No wait at all would be asked for for ever.
            waited += pause.max(Duration::from_secs(1));
        }
    }

    fn post(&self, body: &[u8]) -> Result<(Response<Body>, Vec<u8>), Failed> {
        let patience = self.patience + Duration::from_secs(body.len() as u64 / BYTES_PER_S);
        let asked = self.agent.post(format!("{}/api/v1/checkups", self.address));
        let asked = asked
            .header(header::AUTHORIZATION, self.bearer())
            .header(header::ACCEPT_LANGUAGE, self.language.code())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::CONTENT_ENCODING, "gzip")
            .config()
            .timeout_global(Some(patience))
            .build();
        let mut answer = asked.send(body).map_err(|error| self.unreachable(&error))?;
        let text = self.body_of(&mut answer)?;
        Ok((answer, text))
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token.secret())
    }

    /// The body, up to the limit: one that is cut off is not read as JSON.
    fn body_of(&self, answer: &mut Response<Body>) -> Result<Vec<u8>, Failed> {
        let mut text = Vec::new();
        let read = answer.body_mut().as_reader().take(ANSWER_LEN_BYTES_MAX).read_to_end(&mut text);
        read.map(|_| text).map_err(|error| self.unreachable(&error.into()))
    }

    /// No answer.
    fn unreachable(&self, error: &ureq::Error) -> Failed {
        let address = self.address.as_str();
        let why = match error {
            ureq::Error::Timeout(_) => message!("send-unreachable.timeout", address),
            ureq::Error::HostNotFound => message!("send-unreachable.no-host", host = self.address.host()),
            ureq::Error::ConnectProxyFailed(error) => {
                message!("send-unreachable.proxy", address, error = error.as_str())
            }
            ureq::Error::Io(error) => match error.get_ref().and_then(|inner| inner.downcast_ref()) {
                Some(rustls::Error::InvalidCertificate(reason)) => {
                    message!("send-unreachable.certificate", address, error = format!("{reason:?}"))
                }
                _ => message!("send-unreachable", address, error = Parameter::from(cause(error))),
            },
            other => message!("send-unreachable", address, error = other.to_string()),
        };
        Failed { why, fate: Fate::AllKept }
    }

    /// An answer that no server of ours gives.
    fn stranger(&self) -> Failed {
        Failed { why: message!("send-stranger", address = self.address.as_str()), fate: Fate::AllKept }
    }

    /// An answer that is not the one that was hoped for.
    fn refusal(&self, answer: &Response<Body>, body: &[u8]) -> Failed {
        let (address, status) = (self.address.as_str(), answer.status().as_u16());
        let said = self.said(body);
        let said = said.map(|said| message!("send-answer", address, said));
        let why = match status {
            300..=399 => message!("send-answer.redirect", address),
            401 => message!("send-answer.token", address),
            403 => message!("send-answer.role", address),
            407 => message!("send-unreachable.proxy", address, error = "407"),
            // Other servers have no such pages.
            404 | 405 => message!("send-stranger", address),
            _ => said.unwrap_or_else(|| message!("send-answer.status", address, status = u64::from(status))),
        };
        let fate = match status {
            // Not about the Report, but about the way to the server, or the token: a new one may come.
            300..=399 | 401 | 403 | 404 | 405 | 407 | 408 | 429 | 502..=504 => Fate::AllKept,
            400..=499 => Fate::Refused,
            _ => Fate::Kept,
        };
        Failed { why, fate }
    }

    /// The server's own words, without the token, which it has.
    fn said(&self, body: &[u8]) -> Option<String> {
        #[derive(Deserialize)]
        struct Problem {
            error: String,
        }
        let Problem { error } = serde_json::from_slice(body).ok()?;
        let digits = self.token.secret().trim_start_matches(TOKEN_BEGIN);
        let said = error.replace(digits, "\u{2026}");
        Some(said.chars().take(SAID_CHARS_MAX).collect())
    }
}

/// The system's certificates, and those of a file.
fn certificates(ca: Option<&Path>) -> Result<Vec<Certificate<'static>>, Message> {
    let mut found: Vec<CertificateDer<'static>> = rustls_native_certs::load_native_certs().certs;
    if let Some(path) = ca {
        let failed = |error: Parameter| message!("send-no-ca", path, error);
        let text = std::fs::read(path).map_err(|error| failed(cause(&error).into()))?;
        let own: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
        let own = own.map_err(|error| failed(error.to_string().into()))?;
        if own.is_empty() {
            return Err(message!("send-no-ca.empty", path));
        }
        found.extend(own);
    }
    Ok(found.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect())
}

/// What a server asks to wait, in seconds. Dates are not read: no server of ours sends them.
fn retry_after(answer: &Response<Body>) -> Option<Duration> {
    let seconds = answer.headers().get(header::RETRY_AFTER)?.to_str().ok()?;
    seconds.trim().parse().ok().map(|seconds: u64| Duration::from_secs(seconds.min(3_600)))
}

/// Packs bytes.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    let written = packed.write_all(bytes).and_then(|()| packed.finish());
    written.expect("memory takes all")
}

#[cfg(test)]
mod tests {
    use cardiograph_testing::team::{Answer, TOKEN, Team};

    use super::*;

    #[test]
    fn a_server_that_says_nothing_is_given_up() {
        let team = Team::start();
        let (address, token) = (team.address.parse().unwrap(), TOKEN.parse().unwrap());
        let server = Server { address, token, ca: None, proxy: None };
        let mut client = Client::new(&server, Language::EN, |_| None).unwrap();
        client.patience = Duration::from_millis(300);
        team.answer([Answer::Stall(Duration::from_secs(20))]);
        let expected = Failed {
            why: message!("send-unreachable.timeout", address = team.address.as_str()),
            fate: Fate::AllKept,
        };
        assert_eq!(client.send(&Report::new("a", 1, "cardiograph", "quick")), Err(expected.clone()));
        // It is still busy with the first.
        assert_eq!(client.me(), Err(expected));
    }
}
