//! Output of `--help`, `--version`, `--cmdhelp` and `--enghelp`.

use std::fmt::Write;
use std::io::IsTerminal;

use cardiograph_core::text::plain;
use cardiograph_core::{Parameter, message};
use cardiograph_engine::ENGINES;
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::ProgramOptions;
use cardiograph_jobs::options::{self, OPTIONS, OptionDef, Status};

use super::{Called, FIO_VERSION};
use crate::exit::Failure;
use crate::screen::english;
use crate::stdout;

const USAGE: &str = "\
fio [options] [job options] <job file(s)>
  --output=FILE             Write the output to FILE
  --output-format=FORMATS   normal, terse, json, json+ (several, separated by commas)
  --minimal, -m             The same as --output-format=terse
  --append-terse            Both the normal and the terse output
  --terse-version=2..5      Version of the terse output (default: 3)
  --section=NAME            Run only this section of a job file; may be repeated
  --parse-only              Check the jobs and run nothing
  --readonly                Refuse jobs that write
  --showcmd                 Print a job file as command line options
  --eta=always,never,auto   When to show the progress of the run
  --eta-newline=TIME        Start a new line for that after each TIME
  --eta-interval=TIME       Update it after each TIME
  --status-interval=TIME    Show the results so far after each TIME
  --warnings-fatal          Treat fio's warnings as errors
  --notes                   Print all notes, and on standard error as well
  --allow-erase=ID        Allow the contents of this device to be destroyed; a refusal shows the ID
  --cmdhelp=OPTION          Explain a job option ('all' lists them)
  --enghelp=ENGINE[,OPTION] Explain an engine's options (without a name: list the engines)
  --version, -v             Print the version
  --help, -h                Print this
";

/// Prints the requested information. Returns fio's exit status.
pub fn show(options: &ProgramOptions, called: Called) -> Result<u8, Failure> {
    if options.version {
        print(&version(called))?;
    }
    if options.help {
        print(&format!("{}{USAGE}", version(called)))?;
    }
    if let Some(name) = &options.cmdhelp {
        print(&cmdhelp(name)?)?;
    }
    if let Some(name) = &options.enghelp {
        print(&enghelp(name)?)?;
    }
    Ok(0)
}

/// The version that scripts look for. Under the name fio nothing else is printed: some scripts calculate with the whole output.
fn version(called: Called) -> String {
    match called {
        Called::Fio => format!("{FIO_VERSION}\n"),
        Called::Subcommand => format!("{FIO_VERSION}\ncardiograph {}\n", env!("CARGO_PKG_VERSION")),
    }
}

/// Writes to standard output. Control characters are removed for terminals only.
pub fn print(text: &str) -> Result<(), Failure> {
    let text = if std::io::stdout().is_terminal() { plain(text) } else { text.into() };
    stdout::write(text.as_bytes()).map(drop)
}

/// Prints the usage, as fio does when there is nothing to do.
pub fn print_usage_on_stderr() {
    eprint!("{USAGE}");
}

fn cmdhelp(name: &str) -> Result<String, Failure> {
    let general = || OPTIONS.iter().filter(|def| def.engines.is_empty());
    if name == "all" || name.is_empty() {
        return Ok(general().map(line).collect());
    }
    match options::find(name) {
        Some(def) => Ok(details(def)),
        None => Err(Failure::usage(diagnostics::unknown_option(name))),
    }
}

fn enghelp(name: &str) -> Result<String, Failure> {
    if name.is_empty() {
        let lines = ENGINES.iter().map(|entry| format!("  {:<12} {}\n", entry.name, english(entry.summary)));
        return Ok(format!("Available IO engines:\n{}", lines.collect::<String>()));
    }
    let (engine, option) = name.split_once(',').unwrap_or((name, ""));
    if cardiograph_engine::find_engine(engine).is_none() {
        let known = Parameter::all(ENGINES.iter().map(|entry| entry.name));
        return Err(Failure::usage(message!("fio-enghelp", name, engine, known)));
    }
    let rows: Vec<&OptionDef> = OPTIONS.iter().filter(|def| def.engines.contains(&engine)).collect();
    if !option.is_empty() {
        return match rows.iter().find(|def| def.name == option || def.aliases.contains(&option)) {
            Some(def) => Ok(details(def)),
            None => Err(Failure::usage(message!("fio-enghelp.option", name, engine, option))),
        };
    }
    match rows.is_empty() {
        true => Ok(format!("{}\n", english(&message!("fio-no-engine-options", engine)))),
        false => Ok(rows.into_iter().map(line).collect()),
    }
}

fn line(def: &OptionDef) -> String {
    format!("{:<24}: {}\n", def.name, def.help.trim_end_matches('.'))
}

/// Details of an option, one field a line.
fn details(def: &OptionDef) -> String {
    let mut text = String::new();
    let mut entry = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:>20}: {value}");
    };
    entry(def.name, def.help.trim_end_matches('.'));
    def.aliases.iter().for_each(|alias| entry("alias", alias));
    entry("type", &def.kind.to_string());
    entry("default", if def.default.is_empty() { "none" } else { def.default });
    match def.status {
        Status::Works { .. } => entry("status", "works"),
        Status::Hint { why } => entry("status", &format!("accepted; {}", english(why))),
        Status::Refused { why } => entry("status", &format!("refused; {}", english(why))),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_explained() {
        for def in OPTIONS.iter() {
            let text = details(def);
            assert!(text.lines().count() >= 4 && text.contains(def.name), "{text}");
        }
        assert!(cmdhelp("all").unwrap().lines().count() > 150);
        assert!(english(&cmdhelp("blocksise").unwrap_err().message).contains("'blocksize'"));
    }

    #[test]
    fn every_engine_is_explained() {
        for entry in ENGINES {
            assert!(!enghelp(entry.name).unwrap().is_empty());
            assert!(enghelp("").unwrap().contains(entry.name));
        }
        assert!(english(&enghelp("psink").unwrap_err().message).contains("psync"));
        assert!(english(&enghelp("psync,x").unwrap_err().message).contains("no option 'x'"));
    }
}
