//! The address of a database: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=...`.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cardiograph_core::message;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use crate::StoreError;

/// Where the certificates are by which a server's is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots {
    /// Those of the system.
    System,
    /// A file of PEM certificates.
    File(PathBuf),
}

/// An address.
#[derive(Debug)]
pub struct Address {
    pub config: Config,
    /// `None`: without TLS.
    pub tls: Option<Roots>,
    /// For people, without the password.
    pub place: PathBuf,
}

const PORT: u16 = 5432;

impl Address {
    /// Reads an address. `env` looks up an environment variable. The password is that of the address, else of
    /// `PGPASSWORD`, else of the file `PGPASSFILE` or `~/.pgpass`.
    ///
    /// # Errors
    /// [`StoreError::NoStore`], which never quotes the address: it may have a password.
    pub fn read(url: &str, env: impl Fn(&str) -> Option<OsString>) -> Result<Self, StoreError> {
        let (mut tls, mut mode) = (None, None);
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut others = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", value)) => mode = Some(value),
                Some(("sslrootcert", "system")) => tls = Some(Roots::System),
                Some(("sslrootcert", value)) => tls = Some(Roots::File(decoded(value).into())),
                _ => others.push(pair),
            }
        }
        let unreadable = |reason: String| StoreError::NoStore(message!("store-server-address", reason));
        let rest = format!("{base}?{}", others.join("&"));
        let mut config: Config =
            rest.parse().map_err(|error| unreadable(crate::trouble::words_of(&error)))?;
        let is_split = |host: &Host| matches!(host, Host::Tcp(name) if name.contains('@'));
        if config.get_hosts().iter().any(is_split) {
            return Err(StoreError::NoStore(message!("store-server-at-sign")));
        }
        if config.get_hosts().is_empty() {
            config.host("/var/run/postgresql");
        }
        let is_here = |host: &Host| match host {
            Host::Tcp(name) => matches!(name.as_str(), "localhost" | "127.0.0.1" | "::1"),
            Host::Unix(_) => true,
        };
        let is_here = config.get_hosts().iter().all(is_here);
        let tls = match mode {
            Some("disable") => None,
            None if is_here && tls.is_none() => None,
            None | Some("require" | "verify-ca" | "verify-full") => Some(tls.unwrap_or(Roots::System)),
            Some(mode) => {
                return Err(StoreError::NoStore(message!("store-server-ssl-mode", mode = decoded(mode))));
            }
        };
        config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
        if config.get_application_name().is_none() {
            config.application_name("cardiograph");
        }
        // A network that is cut is noticed within half a minute.
        config.connect_timeout(*config.get_connect_timeout().unwrap_or(&Duration::from_secs(10)));
        config.keepalives_idle(Duration::from_secs(10)).keepalives_interval(Duration::from_secs(5));
        config.keepalives_retries(3).tcp_user_timeout(Duration::from_secs(25));
        let place = place(&config);
        if config.get_password().is_none() {
            if let Some(password) = env("PGPASSWORD").and_then(|password| password.into_string().ok()) {
                config.password(password);
            } else if let Some(password) = in_pass_file(&config, &env) {
                config.password(password);
            }
        }
        Ok(Self { config, tls, place: place.into() })
    }
}

/// The address without the password and settings.
fn place(config: &Config) -> String {
    let user = config.get_user().map(|user| format!("{user}@")).unwrap_or_default();
    let names = config.get_hosts().iter().enumerate().map(|(at, host)| {
        let port = port_of(config, at);
        let port = if port == PORT { String::new() } else { format!(":{port}") };
        format!("{}{port}", name_of(host))
    });
    let names: Vec<String> = names.collect();
    format!("postgresql://{user}{}/{}", names.join(","), config.get_dbname().unwrap_or_default())
}

fn name_of(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(directory) => directory.display().to_string(),
    }
}

/// One port may be that of all hosts.
fn port_of(config: &Config, at: usize) -> u16 {
    let ports = config.get_ports();
    ports.get(at).or(ports.first()).copied().unwrap_or(PORT)
}

/// The password in PostgreSQL's password file, which nobody else may read.
/// <https://www.postgresql.org/docs/current/libpq-pgpass.html>
fn in_pass_file(config: &Config, env: &impl Fn(&str) -> Option<OsString>) -> Option<String> {
    let of_home = || Some(Path::new(&env("HOME")?).join(".pgpass"));
    let path = env("PGPASSFILE").map(PathBuf::from).or_else(of_home)?;
    if path.metadata().ok()?.permissions().mode() & 0o077 != 0 {
        return None;
    }
    let user = config.get_user().map(str::to_string).or_else(|| env("USER")?.into_string().ok())?;
    let database = config.get_dbname().unwrap_or(&user);
    let host = match config.get_hosts().first()? {
        Host::Unix(directory) if directory == Path::new("/var/run/postgresql") => "localhost".to_string(),
        host => name_of(host),
    };
    let port = port_of(config, 0).to_string();
    let wanted = [host.as_str(), &port, database, &user];
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let fields = fields(line);
        let is_it = |(field, wanted): (&String, &&str)| field == "*" || field == *wanted;
        (fields.len() == 5 && fields.iter().zip(&wanted).all(is_it)).then(|| fields[4].clone())
    })
}

/// The fields of a line: `\:` and `\\` are characters of one.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_escaped) = (vec![String::new()], false);
    for char in line.chars() {
        match char {
            '\\' if !is_escaped => is_escaped = true,
            ':' if !is_escaped && fields.len() < 5 => fields.push(String::new()),
            _ => {
                fields.last_mut().expect("there is one").push(char);
                is_escaped = false;
            }
        }
    }
    fields
}

/// The text of a part of an address, where `%2F` is a slash.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(url: &str) -> Result<Address, StoreError> {
        Address::read(url, |_| None)
    }

    #[test]
    fn the_place_has_no_password_and_tls_is_honoured_or_refused() {
        let ca = || Some(Roots::File("/etc/ca 1.pem".into()));
        for (url, place, tls) in [
            (
                "postgresql://ann:s3cret@db.example/drives",
                "postgresql://ann@db.example/drives",
                Some(Roots::System),
            ),
            ("postgres://db.example:5433/d?sslmode=disable", "postgresql://db.example:5433/d", None),
            ("postgresql://ann@localhost/d?password=s3cret", "postgresql://ann@localhost/d", None),
            ("postgresql:///d?host=/tmp/pg", "postgresql:///tmp/pg/d", None),
            ("postgresql://%2Ftmp%2Fpg/d?connect_timeout=3", "postgresql:///tmp/pg/d", None),
            ("postgresql://h/d?sslmode=verify-full&sslrootcert=/etc/ca%201.pem", "postgresql://h/d", ca()),
            ("postgresql://127.0.0.1/d?sslrootcert=system", "postgresql://127.0.0.1/d", Some(Roots::System)),
        ] {
            let found = read(url).unwrap_or_else(|error| panic!("{url}: {error}"));
            assert_eq!((found.place.to_str().unwrap(), found.tls), (place, tls), "{url}");
        }
        for (url, id) in [
            ("postgresql://h/d?sslmode=prefer", "store-server-ssl-mode"),
            ("postgresql://ann:s3cret@s3cret@h/d", "store-server-at-sign"),
            ("postgresql://ann:s3cret@h:s3cret/d", "store-server-address"),
            ("postgresql://h/d?s3cret", "store-server-address"),
            ("postgresql://h/d?nosuch=s3cret", "store-server-address"),
        ] {
            let refused = read(url).unwrap_err().message();
            assert_eq!(refused.id(), id, "{url}");
            assert!(!format!("{refused:?}").contains("s3cret"), "{refused:?}");
        }
    }

    #[test]
    fn passwords_are_those_of_the_address_the_environment_or_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(".pgpass");
        std::fs::write(&file, "# none\nother:*:*:*:x\ndb:5433:dr\\:ives:ann:a:b\\\\c\n*:*:*:*:any\n")
            .unwrap();
        let home = || Some(directory.path().as_os_str().to_os_string());
        let password = |url: &str, set: Option<&str>| {
            let env = |name: &str| match name {
                "PGPASSWORD" => set.map(OsString::from),
                "HOME" => home(),
                _ => None,
            };
            let found = Address::read(url, env).unwrap();
            found.config.get_password().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(0o600);
        assert_eq!(password("postgresql://ann:p@db/d", Some("e")).as_deref(), Some("p"));
        assert_eq!(password("postgresql://ann@db/d", Some("e")).as_deref(), Some("e"));
        assert_eq!(password("postgresql://ann@db:5433/dr:ives", None).as_deref(), Some("a:b\\c"));
        assert_eq!(password("postgresql://bob@db/d", None).as_deref(), Some("any"));
        mode(0o640);
        assert_eq!(password("postgresql://bob@db/d", None), None, "others may read it");
    }
}
