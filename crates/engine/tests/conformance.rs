//! One suite over all engines: what each must do, whatever it is made of.

mod conformance {
    mod basics;
    mod bench;
    mod failures;
    mod files;
    mod queue;
    mod registry;
    mod whole_files;
}
