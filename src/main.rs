//! The `tribunal` command: arguments in, exit code out. Everything else is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tribunal::cli::main()
}
