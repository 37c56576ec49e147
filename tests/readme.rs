//! The README's picture is what the program prints.

use std::process::Command;

const README: &str = include_str!("../README.md");

#[test]
fn the_picture_is_true() {
    let (_, from_prompt) = README.split_once("```console\n$ cardiograph ").expect("the README has a picture");
    let (arguments, rest) = from_prompt.split_once('\n').expect("a command line");
    let (picture, _) = rest.split_once("```").expect("the picture ends");
    let output = Command::new(env!("CARGO_BIN_EXE_cardiograph")).args(arguments.split(' ')).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed == picture, "the README shows\n{picture}\nbut the program prints\n{printed}");
}
