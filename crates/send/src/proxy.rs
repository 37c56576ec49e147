//! The HTTP proxy between this machine and a server.

use cardiograph_core::{Message, message};
use ureq::Proxy;

use crate::{Address, Server};

/// The proxy of a server: that of the file (an empty text: none), else that of `HTTPS_PROXY` or `ALL_PROXY`, unless
/// `NO_PROXY` names the host. Nothing for this machine goes through a proxy.
///
/// # Errors
/// When it is not the address of a proxy. It may have a password, which no error repeats.
pub fn proxy_of(server: &Server, env: impl Fn(&str) -> Option<String>) -> Result<Option<Proxy>, Message> {
    let variable = |name: &str| {
        let found = env(name).or_else(|| env(&name.to_ascii_lowercase()));
        found.filter(|value| !value.is_empty()).map(|value| (name.to_string(), value))
    };
    let found = match &server.proxy {
        _ if server.address.is_loopback() => None,
        Some(proxy) => {
            Some(("server.toml".to_string(), proxy.clone())).filter(|(_, proxy)| !proxy.is_empty())
        }
        None if variable("NO_PROXY").is_some_and(|(_, list)| is_exempt(&list, &server.address)) => None,
        None => variable("HTTPS_PROXY").or_else(|| variable("ALL_PROXY")),
    };
    let Some((place, proxy)) = found else { return Ok(None) };
    let parsed = Proxy::new(&proxy)
        .ok()
        .filter(|proxy| matches!(proxy.protocol(), ureq::ProxyProtocol::Http | ureq::ProxyProtocol::Https));
    parsed.map(Some).ok_or(message!("send-no-proxy", place))
}

/// Whether a list such as `localhost,.example.com` names the host, as curl reads it.
fn is_exempt(list: &str, address: &Address) -> bool {
    list.split([',', ' ']).filter(|name| !name.is_empty()).any(|name| {
        let name = name.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase();
        let rest = address.host().strip_suffix(name.as_str());
        name == "*" || rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host_of_proxy(
        file: Option<&str>,
        variables: &[(&str, &str)],
        address: &str,
    ) -> Result<Option<String>, Message> {
        let token = format!("cg_{}", "0".repeat(64)).parse().unwrap();
        let proxy = file.map(str::to_string);
        let server = Server { address: address.parse().unwrap(), token, ca: None, proxy };
        let env = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        };
        Ok(proxy_of(&server, env)?.map(|proxy| format!("{}:{}", proxy.host(), proxy.port())))
    }

    /// The setting, the environment, a host, and the proxy for it.
    type Case =
        (Option<&'static str>, &'static [(&'static str, &'static str)], &'static str, Option<&'static str>);

    #[test]
    fn the_file_comes_before_the_environment() {
        const HTTPS: (&str, &str) = ("HTTPS_PROXY", "http://ann:secret@proxy:3128");
        let team = "https://team.example:8443";
        let cases: [Case; 14] = [
            (None, &[], team, None),
            (None, &[HTTPS], team, Some("proxy:3128")),
            (None, &[("https_proxy", "proxy")], team, Some("proxy:80")),
            (None, &[("ALL_PROXY", "http://all:1")], team, Some("all:1")),
            (None, &[("HTTP_PROXY", "http://other:1")], team, None),
            (None, &[("HTTPS_PROXY", "")], team, None),
            (Some("http://own:8"), &[HTTPS], team, Some("own:8")),
            (Some("http://own:8"), &[("NO_PROXY", "*")], team, Some("own:8")),
            (Some(""), &[HTTPS], team, None),
            (None, &[HTTPS, ("NO_PROXY", "x, .example")], team, None),
            (None, &[HTTPS, ("no_proxy", "team.example")], team, None),
            (None, &[HTTPS, ("NO_PROXY", "am.example,example.com")], team, Some("proxy:3128")),
            (None, &[HTTPS], "http://127.0.0.1:7878", None),
            (Some("http://own:8"), &[], "https://localhost", None),
        ];
        for (file, variables, address, expected) in cases {
            let found = host_of_proxy(file, variables, address).unwrap();
            assert_eq!(found.as_deref(), expected, "{file:?} {variables:?} {address}");
        }
        for wrong in ["socks5://ann:secret@proxy:1", "http://ann:secret@", "http:///"] {
            let refused = host_of_proxy(None, &[("HTTPS_PROXY", wrong)], team).unwrap_err();
            assert_eq!(refused, message!("send-no-proxy", place = "HTTPS_PROXY"), "{wrong}");
        }
    }
}
