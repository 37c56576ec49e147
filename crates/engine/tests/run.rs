//! Runs of whole Plans: on a simulated drive with known timing, and on real files.

mod run {
    pub mod bench;
    mod endings;
    mod files;
    mod logs;
    mod precision;
    mod process;
    mod progress;
    mod refusals;
    mod schedule;
    mod steady;
    mod timing;
    mod verify;
}
