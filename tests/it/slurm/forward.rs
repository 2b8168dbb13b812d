//! The server beside a job: this binary, started again, which hands all bytes on to a server of the test and back.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

/// A command that serves at `{port}` what is served at this url.
pub(super) fn command(url: &str) -> String {
    let program = std::env::current_exe().unwrap();
    let address = url.trim_start_matches("http://").trim_end_matches("/v1");
    format!(
        "TRIBUNAL_TEST_FORWARD={address} exec '{}' --ignored --exact --nocapture slurm::forward::serve # {{port}}",
        program.display()
    )
}

#[test]
#[ignore = "started by jobs"]
fn serve() {
    let Ok(to) = std::env::var("TRIBUNAL_TEST_FORWARD") else {
        return;
    };
    let to: SocketAddr = to.parse().unwrap();
    let port: u16 = std::env::var("PORT").unwrap().parse().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
    for client in listener.incoming().flatten() {
        let Ok(server) = TcpStream::connect(to) else {
            continue;
        };
        let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || hand_on(client, server));
        thread::spawn(move || hand_on(back.0, back.1));
    }
}

/// Hands all bytes on as they come.
fn hand_on(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 1 << 14];
    while let Ok(read) = from.read(&mut bytes) {
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}
