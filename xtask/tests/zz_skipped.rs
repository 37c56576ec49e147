//! Shows which tests of the run were skipped, and why. Cargo runs test programs package by package in the order of their
//! names, so this one comes last.

fn main() {
    cardiograph_testing::show_skipped(&cardiograph_testing::skip_list());
}
