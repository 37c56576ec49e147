//! Shows which tests of the run were skipped, and why. Cargo runs test programs package by package in the order of their
//! names, so this one comes last.

use std::collections::BTreeSet;

fn main() {
    let path = cardiograph_testing::skip_list();
    let list = std::fs::read_to_string(&path).unwrap_or_default();
    let skipped: BTreeSet<&str> = list.lines().collect();
    println!("\n{} tests skipped{}", skipped.len(), if skipped.is_empty() { "" } else { ":" });
    skipped.iter().for_each(|line| println!("  {line}"));
    println!();
    let _ = std::fs::remove_file(path);
}
