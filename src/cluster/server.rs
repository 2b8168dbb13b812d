//! The server of a model beside a job: started, asked whether it is ready, ended with all that it started.

use std::collections::BTreeMap;
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

    /// The process that leads all that it started.
    pub fn leader(&self) -> u32 {
        self.child.id()
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

/// Whether somebody else's server listens at a port of this machine, as far as the system tells: no process that `leader`
/// started. The system's own are none: containers listen through them.
pub fn is_of_another(port: u16, leader: u32) -> bool {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let tables = tables.map(|table| std::fs::read_to_string(table).unwrap_or_default());
    let all: Vec<Listener> = tables
        .iter()
        .flat_map(|table| listeners(table, port))
        .filter(|listener| listener.user != 0 || own_user() == Some(0))
        .collect();
    if all.is_empty() {
        return false;
    }
    let sockets: Vec<String> = processes_of(leader).into_iter().flat_map(sockets).collect();
    let own = |listener: &Listener| sockets.contains(&format!("socket:[{}]", listener.socket));
    !all.iter().any(own)
}

#[cfg(unix)]
fn own_user() -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(std::fs::metadata("/proc/self").ok()?.uid())
}

#[cfg(not(unix))]
fn own_user() -> Option<u32> {
    None
}

/// The processes that a process started, directly or not, those of its group, and itself.
fn processes_of(leader: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let all: BTreeMap<u32, (u32, u32)> = ids.filter_map(|id| Some((id, parents(id)?))).collect();
    let descends = |id: u32| {
        let mut at = id;
        // No chain of parents is longer; processes may end and others get their numbers meanwhile.
        for _ in 0..64 {
            match all.get(&at) {
                _ if at == leader => return true,
                Some((_, group)) if *group == leader => return true,
                Some((parent, _)) => at = *parent,
                None => return false,
            }
        }
        false
    };
    all.keys().copied().filter(|&id| descends(id)).collect()
}

/// The parent and the group of a process.
fn parents(id: u32) -> Option<(u32, u32)> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // A program's name may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace().skip(1);
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// What a process has open, as the system writes it.
fn sockets(id: u32) -> Vec<String> {
    let open = std::fs::read_dir(format!("/proc/{id}/fd"));
    let open = open.into_iter().flatten().flatten();
    open.filter_map(|entry| Some(std::fs::read_link(entry.path()).ok()?.to_str()?.to_owned()))
        .collect()
}

/// Who listens at a port: a user, with a socket of this number.
#[derive(Debug, PartialEq, Eq)]
struct Listener {
    user: u32,
    socket: u64,
}

/// Those who listen at a port, of a table of Linux's connections.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = Listener> {
    const LISTENS: &str = "0A";
    table.lines().skip(1).filter_map(move |line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (_, at) = words.get(1)?.rsplit_once(':')?;
        let here = u16::from_str_radix(at, 16) == Ok(port) && *words.get(3)? == LISTENS;
        here.then_some(Listener {
            user: words.get(7)?.parse().ok()?,
            socket: words.get(9)?.parse().ok()?,
        })
    })
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

    #[test]
    fn who_listens_at_a_port_is_read_off_the_system() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:4E20 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n\
            1: 00000000:4E20 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1\n\
            2: 0100007F:4E20 0100007F:9999 01 00000000:00000000 00:00000000 00000000    33        0 3 1\n\
            3: 0100007F:4E21 00000000:0000 0A 00000000:00000000 00:00000000 00000000    34        0 4 1\n";
        let found = listeners(table, 20_000).map(|one| (one.user, one.socket));
        assert_eq!(found.collect::<Vec<_>>(), [(1000, 1), (0, 2)]);
        assert_eq!(listeners(table, 20_002).count(), 0);
        let own = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = own.local_addr().unwrap().port();
        assert!(!is_of_another(port, std::process::id()));
        if cfg!(target_os = "linux") {
            let mut other = Command::new("sleep").arg("60").spawn().unwrap();
            assert!(is_of_another(port, other.id()));
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }
}
