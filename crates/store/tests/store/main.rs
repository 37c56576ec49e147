//! Saved, damaged, repaired, shared and malicious stores. One test program, so that tests that wait run in parallel
//! with others; `cargo test -p cardiograph-store --test store repair::` runs a part.

mod bit_flips;
mod drives;
mod endings;
mod hostile;
mod repair;
mod server;
mod story;
