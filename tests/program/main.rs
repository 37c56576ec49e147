//! The program from outside: what it prints, writes and leaves behind.
//!
//! It is one test program, because another costs as much to build as all tests in it. Run one file with
//! `cargo test --test program compare::`.

mod common;

mod agent_wire;
mod capacity_device;
mod capacity_fakes;
mod check_apps;
mod check_capacity;
mod check_endings;
mod check_faults;
mod check_places;
mod check_precision;
mod check_simulated;
mod check_suites;
mod compare;
mod deaths;
mod drive;
mod fio_bad_input;
mod fio_endings;
mod fio_front_ends;
mod fio_options;
mod fio_program;
mod fio_seeds;
mod fio_streams;
mod forms;
mod history;
mod hostile;
mod html;
mod import;
mod language;
mod leftovers;
mod lists;
mod live;
mod memory;
mod outputs;
mod pauses;
mod plot;
mod printed_commands;
mod promises;
mod readme;
mod seed_000;
mod send;
mod serve;
mod shelf;
mod suite_verdicts;
mod tools;
