//! The `tribunal` command: arguments in, exit code out. Everything else is in the library.

use std::process::ExitCode;

#[cfg(all(unix, any(target_arch = "x86_64", target_vendor = "apple")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[cfg(not(all(unix, any(target_arch = "x86_64", target_vendor = "apple"))))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tribunal::cli::main()
}
