//! Results for command lines and job files in real use.

use std::fs;
use std::path::Path;

use super::invocation::ProgramOptions;
use super::testing::{FakeLoader, jobs, messages, notes, words};
#[test]
fn command_lines_in_use_are_understood() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio");
    let mut loader = FakeLoader::default()
        .variable("TEST_DIRECTORY", "/mnt/test")
        .variable("OUTPUT", "logs")
        .variable("DEPTH", "16")
        .variable("FILE", "/mnt/test/file");
    for name in ["fio.job", "ssd-test.fio", "sd_bench.fio", "phoronix.fio", "bench-fio.ini"] {
        loader = loader.file(name, fs::read(directory.join(name)).unwrap());
    }
    let commands = fs::read_to_string(directory.join("commands.txt")).unwrap().replace("\\\n", " ");
    let mut understood = String::new();
    for command in commands.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let words = words(command);
        let invocation = loader.parse(&words).unwrap_or_else(|rejection| {
            panic!("{command}: {:?}", messages(&rejection));
        });
        understood.push_str(&format!("$ fio {}\n", words.join(" ")));
        understood.push_str(&program(&invocation.program));
        for line in jobs(&invocation).into_iter().chain(notes(&invocation)) {
            understood.push_str(&format!("{line}\n"));
        }
        understood.push('\n');
    }
    cardiograph_testing::check_golden!("fio-commands.txt", &understood);
}

/// The program options that differ from the defaults.
fn program(options: &ProgramOptions) -> String {
    let mut said = String::new();
    let usual = ProgramOptions::default();
    if options.formats != usual.formats {
        said.push_str(&format!("{:?}\n", options.formats));
    }
    if options.output != usual.output || options.sections != usual.sections {
        said.push_str(&format!("output {:?}, sections {:?}\n", options.output, options.sections));
    }
    if options.readonly || options.parse_only || options.eta_newline_ns.is_some() {
        let ProgramOptions { readonly, parse_only, eta_newline_ns, .. } = options;
        said.push_str(&format!(
            "read-only {readonly}, parse only {parse_only}, new line {eta_newline_ns:?}\n"
        ));
    }
    said
}
