//! The `tribunal` command: arguments in, exit code out. Everything else is in the library.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tribunal::cli::main()
}
