//! Developer commands: `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod cross;
mod schema;
mod versus;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  versus [ROW...] [--slices N] [--list]
           measure speed and size against fio and a bare loop; exits with 1 when a target is missed
  schema   write the JSON Schema of a Report to docs/report.schema.json
  cross    check that everything compiles for 64-bit and 32-bit ARM";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["versus", rest @ ..] => versus::run(rest),
        ["schema"] => schema::run(),
        ["cross"] => cross::run(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(USAGE.to_string()),
    };
    outcome.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
