//! A test for each of fio's options and engines that work here: each sees the effect on the I/Os or on the output.

mod common;

mod fio_options {
    mod ask;
    mod block;
    mod commands;
    mod depth;
    mod disk;
    mod distribution;
    mod engine;
    mod engine_mapping;
    mod engine_polling;
    mod engine_vectors;
    mod errors;
    mod file;
    mod flow;
    mod io_type;
    mod jobs;
    mod latency;
    mod log;
    mod log_limits;
    mod process;
    mod rate;
    mod replay;
    mod report;
    mod steady;
    mod time;
    mod trim;
    mod verify;
    mod verify_pattern;
    mod whole_files;
    mod zone;
}
