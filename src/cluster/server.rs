//! The server of a model beside a job: started, asked whether it is ready, ended with all that it started.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// How long one question after its health may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// The ports that servers take, below those that systems give out.
const PORTS: std::ops::Range<u16> = 20_000..32_000;

/// A port that is free now, for a job another one than for the jobs beside it.
///
/// # Errors
/// When there is none.
pub fn free_port(job: u64) -> io::Result<u16> {
    let count = u64::from(PORTS.end - PORTS.start);
    let first = job.wrapping_mul(7919) % count;
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    for step in 0..100 {
        let port = PORTS.start + ((first + step) % count) as u16;
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(_) => return Ok(port),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A server that was started; it ends when dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts a command in a shell, which finds the port in `{port}` and in the variable `PORT`. What it prints goes where
    /// the job's output goes.
    ///
    /// # Errors
    /// When there is no shell.
    pub fn start(command: &str, port: u16) -> io::Result<Self> {
        let text = command.replace("{port}", &port.to_string());
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", &text])
            .env("PORT", port.to_string())
            .stdin(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        Ok(Self {
            child: shell.spawn()?,
            port,
        })
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Ends it and all that it started.
    pub fn stop(&mut self) {
        #[cfg(unix)]
        {
            use nix::sys::signal::{Signal, killpg};
            use nix::unistd::Pid;
            // It fails only where all have ended already.
            if let Ok(group) = i32::try_from(self.child.id()) {
                let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
            }
        }
        #[cfg(not(unix))]
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Whether a server on this machine answers 200 for a path.
pub fn is_ready(port: u16, path: &str) -> bool {
    status(port, path).is_ok_and(|status| status == Some(200))
}

fn status(port: u16, path: &str) -> io::Result<Option<u16>> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n"
    )?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(read_status(&head))
}

/// The status in `HTTP/1.1 200`.
fn read_status(head: &[u8]) -> Option<u16> {
    let head = std::str::from_utf8(head).ok()?;
    head.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_off_the_head() {
        assert_eq!(read_status(b"HTTP/1.1 200"), Some(200));
        assert_eq!(read_status(b"HTTP/1.0 503"), Some(503));
        assert_eq!(read_status(b"HTTP/2 200 O"), None);
        assert_eq!(read_status("HTTP/1.1 2\u{fc}".as_bytes()), None);
        assert!(!is_ready(free_port(1).unwrap(), "/health"));
    }
}
