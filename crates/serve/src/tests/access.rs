//! Who may do what: roles, hosts, origins, tokens.

use super::*;

#[test]
fn each_route_asks_for_its_role() {
    let bench = Bench::new();
    let tokens_of: HashMap<Role, String> =
        Role::ALL.into_iter().map(|role| (role, bench.token(role.name(), role))).collect();
    for route in routes() {
        let path = ["{id}", "{name}", "{key}"]
            .iter()
            .fold(route.path.to_string(), |path, part| path.replace(part, "none"));
        for method in route.methods.names {
            // By cookie and by token.
            let tokens = Role::ALL.map(|role| Some((role, "authorization")));
            let cookies = Role::ALL.map(|role| Some((role, "cookie")));
            for way in std::iter::once(None).chain(tokens).chain(cookies) {
                let role = way.map(|(role, _)| role);
                let mut headers = Vec::new();
                match way {
                    Some((role, "authorization")) => {
                        headers.push(("authorization", tokens_of[&role].clone()))
                    }
                    _ => headers.push(("origin", "http://127.0.0.1:7878".to_string())),
                }
                if let Some((role, "cookie")) = way {
                    headers.push(("cookie", bench.cookie(role)));
                }
                let headers: Vec<(&str, &str)> =
                    headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
                let answer = bench.send(method.clone(), &path, &headers, "");
                let is_refused = matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
                    || answer.location == "/sign-in";
                let may = route.needs == Needs::Nothing || role.is_some_and(|role| role.may(route.needs));
                // Home leads to the page for signing in, where everybody may be; so does signing out.
                assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
                if !["/", "/sign-out"].contains(&route.path) {
                    assert_eq!(is_refused, !may, "{method} {path} {role:?}: {}", answer.status);
                }
            }
        }
    }
}

#[test]
fn only_our_own_names_and_pages_are_answered() {
    let bench = Bench::new();
    let cookie = bench.cookie(Role::Admin);
    for (host, status) in [
        ("127.0.0.1:7878", StatusCode::OK),
        ("127.0.0.1", StatusCode::OK),
        ("localhost:7878", StatusCode::OK),
        ("LOCALHOST:1", StatusCode::OK),
        ("[::1]:7878", StatusCode::OK),
        ("drives.example", StatusCode::OK),
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
        ("localhost.evil.example:7878", StatusCode::MISDIRECTED_REQUEST),
        ("192.0.2.1:7878", StatusCode::MISDIRECTED_REQUEST),
        ("", StatusCode::MISDIRECTED_REQUEST),
    ] {
        let answer = bench.send(Method::GET, "/checkups", &[("host", host), ("cookie", &cookie)], "");
        assert_eq!(answer.status, status, "{host}");
    }
    for (headers, is_refused) in [
        (&[("origin", "http://127.0.0.1:7878")][..], false),
        (
            &[
                ("origin", "http://localhost:7878"),
                ("host", "LocalHost:7878"),
                ("sec-fetch-site", "same-origin"),
            ],
            false,
        ),
        (&[("origin", "https://drives.example")], false),
        (&[("origin", "http://evil.example")], true),
        (&[("origin", "http://127.0.0.1:8000")], true),
        (&[("origin", "https://drives.example:8443")], true),
        (&[("origin", "null")], true),
        (&[("origin", "http://127.0.0.1:7878"), ("sec-fetch-site", "cross-site")], true),
        // A browser with a cookie names the origin.
        (&[], true),
    ] {
        let all: Vec<_> = headers.iter().copied().chain([("cookie", cookie.as_str())]).collect();
        let answer = bench.send(Method::POST, "/live/none/stop", &all, "");
        assert_eq!(answer.status == StatusCode::FORBIDDEN, is_refused, "{headers:?}: {}", answer.status);
    }
}

#[test]
fn the_printed_address_has_the_name_that_people_type() {
    let directory = tempfile::tempdir().unwrap();
    for (way, listen, hosts, expected) in [
        (Way::Tls, "0.0.0.0:443", &["drives.example"][..], "https://drives.example/"),
        (Way::Tls, "0.0.0.0:8443", &["drives.example"], "https://drives.example:8443/"),
        (Way::Tls, "10.0.0.5:443", &[], "https://10.0.0.5:443/"),
        (Way::Proxy, "127.0.0.1:7878", &["drives.example"], "https://drives.example/"),
        (Way::Proxy, "127.0.0.1:7878", &[], "http://127.0.0.1:7878/"),
    ] {
        let settings = Settings {
            way,
            listen: listen.parse().unwrap(),
            hosts: hosts.iter().map(ToString::to_string).collect(),
            ..settings()
        };
        let store = cardiograph_store::open(&directory.path().join("drives.db")).unwrap();
        assert_eq!(Server::new(settings, store, Box::new(|_| {})).address(), expected);
    }
}

#[test]
fn the_printed_address_signs_one_browser_in() {
    let bench = Bench::new();
    let address = bench.server.address();
    let path = address.split_once(LISTEN).unwrap().1;
    let first = bench.send(Method::GET, path, &[], "");
    assert_eq!((first.status, first.location.as_str()), (StatusCode::SEE_OTHER, "/"));
    assert_eq!(bench.send(Method::GET, path, &[], "").location, "/sign-in");
}

#[test]
fn a_token_signs_programs_and_browsers_in_until_it_ends() {
    let bench = Bench::new();
    let bearer = bench.token("ann", Role::Viewer);
    let secret = bearer.strip_prefix("Bearer ").unwrap();
    let me = bench.send(Method::GET, "/api/v1/me", &[("authorization", &bearer)], "");
    assert_eq!((value(&me)["name"].as_str(), value(&me)["role"].as_str()), (Some("ann"), Some("viewer")));
    let used = bench.store().access().tokens().unwrap().remove(0).used_unix_ms;
    assert!(used.is_some());
    for wrong in ["Bearer", "Bearer cg_0", "Basic YTpi", &format!("{}0", &bearer[..bearer.len() - 1])] {
        // A cookie does not help who brings a wrong token.
        let cookie = bench.cookie(Role::Admin);
        let headers = [("authorization", wrong), ("cookie", &*cookie)];
        let refused = bench.send(Method::GET, "/api/v1/me", &headers, "");
        assert_eq!(refused.status == StatusCode::OK, wrong == bearer, "{wrong}");
    }

    let sign_in = |token: &str| {
        let kind = ("content-type", "application/x-www-form-urlencoded");
        bench.send(Method::POST, "/sign-in", &[kind], format!("token={token}"))
    };
    assert_eq!(sign_in("cg_nonsense").status, StatusCode::UNPROCESSABLE_ENTITY);
    let machine = bench.token("pi5", Role::Sender);
    assert_eq!(sign_in(machine.strip_prefix("Bearer ").unwrap()).status, StatusCode::UNPROCESSABLE_ENTITY);
    let signed_in = sign_in(secret);
    assert_eq!((signed_in.status, signed_in.location.as_str()), (StatusCode::SEE_OTHER, "/"));
    let cookie = signed_in.cookie.split(';').next().unwrap().to_string();
    assert!(!signed_in.cookie.contains("Secure") && signed_in.cookie.contains("HttpOnly"));
    let get = || bench.send(Method::GET, "/checkups", &[("cookie", &cookie)], "").status;
    assert_eq!(get(), StatusCode::OK);
    let audit = bench.store().access().audit(None, 9).unwrap();
    assert_eq!((audit[0].who.as_str(), audit[0].what.as_str()), ("ann", "sign-in"));
    let team = bench.get("/team", Role::Admin).text;
    assert!(team.contains("value=\"ann\"") && team.contains("value=\"pi5\""), "{team}");

    assert!(bench.store().access().revoke_token("ann", 2).unwrap());
    assert_eq!(get(), StatusCode::OK, "an answer is believed for some seconds");
    bench.server.tokens.forget();
    assert_eq!(get(), StatusCode::SEE_OTHER, "its sessions end with it");
    let gone = bench.send(Method::GET, "/api/v1/me", &[("authorization", &bearer)], "");
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED);
    assert_eq!(bench.post("/team/revoke", Role::Admin, "name=pi5").location, "/team");
    let gone = bench.send(Method::GET, "/api/v1/me", &[("authorization", &machine)], "");
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED, "at once, where it was revoked");
}
