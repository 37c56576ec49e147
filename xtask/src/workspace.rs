//! Paths of the workspace, and cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_core::Report;
use serde_json::Value;

/// The directory of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The cargo that runs this program, in the workspace.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// cargo's target directory.
pub fn target_directory() -> Result<PathBuf, String> {
    let text = stdout_of(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    metadata["target_directory"]
        .as_str()
        .map(PathBuf::from)
        .ok_or("cargo metadata has no target directory".into())
}

/// Exit code of a command that is not available here: the usual one for what is skipped.
pub const NOT_RUN: u8 = 77;

/// Makes a directory, or empties it.
///
/// # Errors
/// When that fails, with its path.
pub fn empty_directory(path: &Path) -> Result<(), String> {
    let removed = if path.exists() { std::fs::remove_dir_all(path) } else { Ok(()) };
    let made = removed.and_then(|()| std::fs::create_dir_all(path));
    made.map_err(|error| format!("{}: {error}", path.display()))
}

/// Names a program to use instead of building one.
const PROGRAM: &str = "CARDIOGRAPH_PROGRAM";

/// The program that is named to be used instead of building one.
pub fn given_program() -> Option<PathBuf> {
    std::env::var_os(PROGRAM).map(PathBuf::from)
}

/// Builds the release of the program, unless one is given. Returns its path.
pub fn build_program() -> Result<PathBuf, String> {
    if let Some(program) = given_program() {
        return Ok(program);
    }
    let mut build = cargo();
    build.args(["build", "--release"]);
    build_with(build)
}

/// Builds the program with this `cargo build`, adding the package. Returns its path.
pub fn build_with(mut build: Command) -> Result<PathBuf, String> {
    build.args(["--package", "cardiograph", "--message-format", "json-render-diagnostics"]);
    let text = stdout_of(build.stderr(std::process::Stdio::inherit()))?;
    executable(&text).ok_or("cargo did not build a program".into())
}

/// The last executable in cargo's messages, a JSON message per line.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next()
}

/// The Report of a simulated drive, by this program.
///
/// # Errors
/// When the program fails.
pub fn simulated_report(program: &Path, model: &str) -> Result<Report, String> {
    let mut command = Command::new(program);
    command.args(["check", "--no-keep", "--quiet", "--json", "--simulate", model]);
    let text = stdout_of(&mut command)?;
    serde_json::from_str(&text).map_err(|error| format!("a Report that cannot be read: {error}"))
}

/// Runs a command and returns its standard output.
///
/// # Errors
/// When it cannot be started or fails, with its standard error.
pub fn stdout_of(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} failed ({}): {}", output.status, said.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes a token of a role for the server of a store.
///
/// # Errors
/// When the program fails.
pub fn token(program: &Path, store: &Path, name: &str, role: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    command.arg("--store").arg(store).args(["token", "add", name, "--role", role]);
    stdout_of(&mut command).map(|text| text.trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_the_messages() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":\"/x/release/cardiograph\"}\n\
                        {\"reason\":\"build-finished\",\"success\":true}\n";
        assert_eq!(executable(messages), Some(PathBuf::from("/x/release/cardiograph")));
        assert_eq!(executable("{\"executable\":null}\nno JSON\n"), None);
    }

    #[test]
    fn failures_include_standard_error() {
        let said = stdout_of(Command::new("sh").args(["-c", "echo out; echo why >&2; exit 3"])).unwrap_err();
        assert!(said.contains("why") && said.contains("3") && !said.contains("out"), "{said}");
        assert_eq!(stdout_of(Command::new("echo").arg("out")).unwrap(), "out\n");
        assert!(stdout_of(&mut Command::new("/no/such/program")).unwrap_err().contains("cannot be started"));
    }

    #[test]
    fn the_workspace_is_found() {
        assert!(root().join("crates/engine/Cargo.toml").is_file());
    }
}
