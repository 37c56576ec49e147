//! The program; see the library beside it.

fn main() -> std::process::ExitCode {
    cardiograph::main()
}
