//! The script that installs an archive, from a directory and from a web server.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Release;
use super::place::remove;
use crate::workspace::stdout_of;

/// A web server of files, killed when dropped.
struct Files {
    child: Child,
    address: String,
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Files {
    fn serve(directory: &Path) -> Result<Self, String> {
        let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| error.to_string())?.port();
        let mut python = Command::new("python3");
        python.args(["-m", "http.server", "--bind", "127.0.0.1", "--directory"]).arg(directory);
        let child = python.arg(port.to_string()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("python3: {error}"))?;
        let files = Self { child, address: format!("http://127.0.0.1:{port}") };
        let until = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if Instant::now() > until {
                return Err("python3's web server does not answer".to_string());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(files)
    }
}

/// Installs, looks at what was installed, removes it; and refuses what is not as it was made.
pub fn prove(release: &Release) -> Result<(), String> {
    let (to, spoilt) = (release.work.join("installed"), release.work.join("spoilt"));
    let files = Files::serve(&release.from)?;
    for from in [files.address.as_str(), &release.from.display().to_string()] {
        remove(&to)?;
        let said = install(&release.from, from, &to)?;
        if !said.contains("SHA-256 sum is right") {
            return Err(format!("it did not check the sum:\n{said}"));
        }
        stdout_of(Command::new(to.join("bin/cardiograph")).arg("suites"))?;
        let line = said.lines().find_map(|line| line.strip_prefix("to remove it: ")).unwrap_or_default();
        let line = line.split(';').next().unwrap_or_default();
        stdout_of(Command::new("sh").args(["-c", line]))?;
        let left = stdout_of(Command::new("find").arg(&to).args(["-type", "f"]))?;
        if !left.is_empty() {
            return Err(format!("'{line}' left {left}"));
        }
    }
    remove(&spoilt)?;
    stdout_of(Command::new("cp").arg("-r").arg(&release.from).arg(&spoilt))?;
    for entry in fs::read_dir(&spoilt).map_err(|error| error.to_string())?.flatten() {
        if entry.file_name().to_string_lossy().ends_with(".tar.gz") {
            fs::write(entry.path(), b"something else").map_err(|error| error.to_string())?;
        }
    }
    remove(&to)?;
    match install(&release.from, &spoilt.display().to_string(), &to) {
        Err(said) if said.contains("nothing was installed") && !to.exists() => Ok(()),
        other => Err(format!("a spoilt archive was installed: {other:?}")),
    }
}

fn install(script: &Path, from: &str, to: &Path) -> Result<String, String> {
    let mut sh = Command::new("sh");
    sh.arg(script.join("install.sh")).args(["--from", from, "--to"]).arg(to);
    sh.args(["--version", crate::dist::VERSION]);
    stdout_of(&mut sh)
}
