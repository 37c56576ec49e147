//! The file of servers and tokens: only its owner may read it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use cardiograph_core::system_error::cause;
use cardiograph_core::{Message, Parameter, message};
use cardiograph_files::{FileSystem, Kind, Open, if_there, output, split};
use serde::{Deserialize, Serialize};

use crate::{Address, Token};

/// Permissions of the file, and of a new directory for it.
const MODE: u32 = 0o600;
const DIRECTORY_MODE: u32 = 0o700;
/// Permissions that others than the owner must not have.
const OTHERS: u32 = 0o077;
/// More than any list of servers.
const LEN_BYTES_MAX: u64 = 1 << 20;

/// A server that checkups can be sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Where it is.
    pub address: Address,
    /// Who sends.
    pub token: Token,
    /// A PEM file with certificates to trust besides those of the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
    /// The HTTP proxy; an empty text: none, whatever the environment says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
}

/// All of them. The first one is used where none is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Servers {
    /// The servers.
    #[serde(default, rename = "server")]
    pub all: Vec<Server>,
}

/// The path of the file: `$XDG_CONFIG_HOME/cardiograph/server.toml`, else below `$HOME/.config`. `env` looks up an
/// environment variable. Relative paths are ignored, as the XDG Base Directory Specification demands.
///
/// # Errors
/// When neither variable holds an absolute path.
pub fn file_of_servers(env: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, Message> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    Ok(config.ok_or(message!("send-no-home"))?.join("cardiograph/server.toml"))
}

impl Servers {
    /// Reads the file; without one there are no servers.
    ///
    /// # Errors
    /// When others may read it, or it is not such a file. Errors do not quote it: it has secrets.
    pub fn read(files: &dyn FileSystem, path: &Path) -> Result<Self, Message> {
        let failed = |error| message!("send-file", path, error = Parameter::from(cause(&error)));
        // It may be a link, as of those who keep their settings elsewhere.
        let opened = files.resolve(path).and_then(|place| {
            let (directory, name) = split(&place).ok_or(io::ErrorKind::NotFound)?;
            files.directory(directory)?.open(name, Open::Read)
        });
        let Some(file) = if_there(opened).map_err(failed)? else { return Ok(Self::default()) };
        let facts = file.facts().map_err(failed)?;
        if facts.kind != Kind::File || facts.len_bytes > LEN_BYTES_MAX {
            return Err(message!("send-file.not-servers", path));
        }
        if facts.mode & OTHERS != 0 {
            return Err(message!("send-file.readable", path, mode = format!("{:04o}", facts.mode)));
        }
        let text = String::from_utf8(file.read_all().map_err(failed)?);
        let text = text.map_err(|_| message!("send-file.not-servers", path))?;
        toml::from_str(&text).map_err(|error| {
            let begin = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..begin].iter().filter(|byte| **byte == b'\n').count();
            message!("send-file.malformed", path, line)
        })
    }

    /// Replaces the file as a whole.
    ///
    /// # Errors
    /// When the system refuses; the file is as before then.
    pub fn write(&self, files: &dyn FileSystem, path: &Path) -> Result<(), Message> {
        let (directory, _) = split(path).ok_or(message!("send-no-home"))?;
        let made = files.create_directories(directory, DIRECTORY_MODE);
        made.map_err(|error| message!("send-file", path, error = Parameter::from(cause(&error))))?;
        let text = toml::to_string(self).expect("a list of servers has a form in TOML");
        output::replace(files, path, text.as_bytes(), MODE).map_err(|refused| refused.message())
    }

    /// Puts a server first, instead of an earlier one with its address.
    pub fn put(&mut self, server: Server) {
        self.all.retain(|known| known.address != server.address);
        self.all.insert(0, server);
    }

    /// The server with an address, or the first.
    ///
    /// # Errors
    /// When there is none, with what to do.
    pub fn find(&self, address: Option<&Address>) -> Result<&Server, Message> {
        let found = self.all.iter().find(|server| address.is_none_or(|address| server.address == *address));
        found.ok_or_else(|| match address {
            Some(address) => message!("send-no-server.address", address = address.as_str()),
            None => message!("send-no-server"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use cardiograph_files::system;

    use super::*;

    fn server(address: &str, digit: &str) -> Server {
        let token = format!("cg_{}", digit.repeat(64)).parse().unwrap();
        Server { address: address.parse().unwrap(), token, ca: None, proxy: None }
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn servers_are_written_for_the_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("made/cardiograph/server.toml");
        assert_eq!(Servers::read(system(), &path).unwrap(), Servers::default());
        let mut servers = Servers::default();
        assert_eq!(servers.find(None).unwrap_err().id(), "send-no-server");
        servers.put(server("https://old", "1"));
        servers.put(Server {
            ca: Some("/etc/a \"b\".pem".into()),
            proxy: Some(String::new()),
            ..server("https://team", "2")
        });
        servers.write(system(), &path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        assert_eq!(Servers::read(system(), &path).unwrap(), servers);
        servers.put(server("https://old", "3"));
        let order: Vec<&str> = servers.all.iter().map(|server| server.address.as_str()).collect();
        assert_eq!(order, ["https://old", "https://team"]);
        servers.write(system(), &path).unwrap();
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
        assert_eq!(Servers::read(system(), &path).unwrap().find(None).unwrap(), &server("https://old", "3"));
        let unknown = "https://new".parse().unwrap();
        assert_eq!(servers.find(Some(&unknown)).unwrap_err().id(), "send-no-server.address");

        // As it is kept by those who link their settings.
        let link = directory.path().join("server.toml");
        symlink(&path, &link).unwrap();
        assert_eq!(Servers::read(system(), &link).unwrap(), servers);
    }

    #[test]
    fn a_file_that_others_can_read_or_that_is_wrong_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("server.toml");
        let secret = format!("cg_{}", "7".repeat(64));
        let good = format!("[[server]]\naddress = \"https://team\"\ntoken = \"{secret}\"\n");
        let cases = [
            (good.clone(), 0o600, None),
            (good.clone(), 0o400, None),
            (good.clone(), 0o640, Some("send-file.readable")),
            (good.clone(), 0o604, Some("send-file.readable")),
            (good.replace("address", "adress"), 0o600, Some("send-file.malformed")),
            (good.replace("https://", "http://"), 0o600, Some("send-file.malformed")),
            (good.replace("cg_7", "7"), 0o600, Some("send-file.malformed")),
            (good.replace("7\"", "7"), 0o600, Some("send-file.malformed")),
        ];
        for (text, mode, expected) in cases {
            fs::write(&path, &text).unwrap();
            set_mode(&path, mode);
            let read = Servers::read(system(), &path);
            assert_eq!(read.as_ref().err().map(Message::id), expected, "{mode:o} {text}");
            assert!(!format!("{read:?}").contains("7777"), "{read:?}");
        }
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(Servers::read(system(), &path).is_err());
    }

    #[test]
    fn the_file_is_where_the_specification_says() {
        let place = |config: &str, home: &str| {
            let value = |value: &str| Some(OsString::from(value)).filter(|value| !value.is_empty());
            let found = file_of_servers(|name| match name {
                "XDG_CONFIG_HOME" => value(config),
                "HOME" => value(home),
                _ => None,
            });
            found.map(|path| path.display().to_string()).map_err(|message| message.id().to_string())
        };
        assert_eq!(place("/c", "/h").unwrap(), "/c/cardiograph/server.toml");
        assert_eq!(place("c", "/h").unwrap(), "/h/.config/cardiograph/server.toml");
        assert_eq!(place("", "").unwrap_err(), "send-no-home");
    }
}
