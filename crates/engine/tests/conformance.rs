//! One test suite for all engines, whatever their implementation.

mod conformance {
    mod basics;
    mod bench;
    mod failures;
    mod files;
    mod queue;
    mod registry;
    mod whole_files;
}
