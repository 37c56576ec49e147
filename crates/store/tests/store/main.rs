//! What becomes of a store: kept, damaged, repaired, shared and hostile ones. One program, so that tests that wait run beside
//! others; `cargo test -p cardiograph-store --test store repair::` runs a part.

mod bit_flips;
mod endings;
mod hostile;
mod repair;
mod story;
