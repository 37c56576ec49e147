//! Runs a load with markers in its system calls where operations begin and end, for strace in `cargo xtask traces`: `record LOAD
//! DIRECTORY BYTES SECONDS`.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

use cardiograph_apps::{AppEnd, AppRequest, Mark, Patience, run};
use cardiograph_core::NS_PER_S;
use cardiograph_core::app::AppSpec;

/// Opens a file that never exists: its name is the marker.
fn mark(mark: &Mark<'_>) {
    let name = match mark {
        Mark::Begin { id, operation, direction } => {
            format!("begin/{id}/{}/{}", operation.name(), direction.name())
        }
        Mark::Done { bytes } => format!("done/{bytes}"),
        Mark::End => "end".to_string(),
    };
    let _ = std::fs::symlink_metadata(format!("/cardiograph-mark/{name}"));
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [load, directory, bytes, seconds] = words.as_slice() else {
        eprintln!("record LOAD DIRECTORY BYTES SECONDS");
        return ExitCode::FAILURE;
    };
    let (Ok(bytes), Ok(seconds)) = (bytes.parse(), seconds.parse::<u64>()) else {
        eprintln!("BYTES and SECONDS are numbers");
        return ExitCode::FAILURE;
    };
    let request = AppRequest {
        spec: &AppSpec::new(load),
        directory: Path::new(directory),
        seed: 1,
        content_seed: 1,
        write_bytes_max: bytes,
        time_ns_max: Some(seconds * NS_PER_S),
        patience: Patience::default(),
        mark: Some(mark),
    };
    match run(&request, &mut |_| ControlFlow::Continue(())) {
        Ok(done) => {
            println!("{}", done.result.library.unwrap_or_default());
            if matches!(done.end, AppEnd::Done) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
