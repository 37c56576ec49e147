//! The program; see the library.

fn main() -> std::process::ExitCode {
    cardiograph::main()
}
