//! The README shows what the program prints.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../README.md");

/// The commands of an example, and their output.
fn parts(example: &str) -> (String, String) {
    let (mut commands, mut printed) = (String::new(), String::new());
    let mut is_command = false;
    for line in example.split_inclusive('\n') {
        is_command = line.starts_with("$ ") || (is_command && commands.ends_with("\\\n"));
        match line.strip_prefix("$ ") {
            Some(command) => commands += command,
            None if is_command => commands += line,
            None => printed += line,
        }
    }
    (commands, printed)
}

#[test]
fn examples_print_what_the_readme_shows() {
    let examples: Vec<&str> = README.split("```console\n").skip(1).collect();
    assert_eq!(examples.len(), 2);
    let directory = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_cardiograph")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    for example in examples {
        let (example, _) = example.split_once("```").expect("an example ends");
        let (commands, expected) = parts(example);
        let mut shell = Command::new("sh");
        let output = shell
            .args(["-c", &commands])
            .current_dir(directory.path())
            .envs([("PATH", path.as_str()), ("LC_ALL", "C")])
            .output();
        let output = output.unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(printed == expected, "{commands}README:\n{expected}\nprinted:\n{printed}{said}");
    }
}
