//! Runs of whole Plans: on a simulated drive whose every time is known, and on real files.

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
