//! Requests off the wire and replies onto it.

use std::collections::BTreeMap;
use std::io::{BufRead, ErrorKind, Result, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::reply::Delivery;
use super::{Moment, Reply, Request};

/// How often a reply that never comes looks whether the server is over.
const LOOK: Duration = Duration::from_millis(100);

/// The next request of a connection; none when it is over.
pub(super) fn read(reader: &mut impl BufRead) -> Result<Option<Request>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut words = first.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request {
        method,
        path,
        headers,
        body,
        number: 0,
    }))
}

/// Waits for what a reply waits for, then sends it; whether the connection can go on.
pub(super) fn deliver(stream: &TcpStream, reply: &Reply, over: &AtomicBool) -> bool {
    let mut there = true;
    if let Some(gate) = &reply.gate {
        gate.pass();
        // Who went away meanwhile would seem to have taken the reply, since the first bytes sent to
        // a closed end are taken without complaint.
        there = still_there(stream);
    }
    if !there || !still_there_after(stream, reply.latency) {
        reply.report(Moment::Abandoned);
        return false;
    }
    reply.report(Moment::Begins);
    let whole = send(stream, reply, over).unwrap_or(false);
    reply.report(Moment::Ends { whole });
    whole
}

/// Sends a reply; whether all of it.
fn send(mut stream: &TcpStream, reply: &Reply, over: &AtomicBool) -> Result<bool> {
    let body = &reply.body[..];
    match reply.delivery {
        Delivery::Whole => stream.write_all(&[&head(reply)?, body].concat())?,
        Delivery::Twice => {
            let once = [&head(reply)?, body].concat();
            stream.write_all(&[&once[..], &once].concat())?;
        }
        Delivery::Cut(bytes) => {
            stream.write_all(&[&head(reply)?, &body[..bytes]].concat())?;
            return Ok(false);
        }
        Delivery::CutAndReset(bytes) => {
            stream.write_all(&[&head(reply)?, &body[..bytes]].concat())?;
            reset(stream)?;
            return Ok(false);
        }
        Delivery::Reset => {
            reset(stream)?;
            return Ok(false);
        }
        Delivery::Never => {
            while still_there_after(stream, LOOK) && !over.load(Ordering::SeqCst) {}
            return Ok(false);
        }
        Delivery::Drip(pieces, pause) => {
            stream.set_nodelay(true)?;
            stream.write_all(&head(reply)?)?;
            for piece in body.chunks(body.len().div_ceil(pieces).max(1)) {
                if !still_there_after(stream, pause) {
                    return Ok(false);
                }
                stream.write_all(piece)?;
            }
        }
    }
    Ok(true)
}

/// Status line and headers.
fn head(reply: &Reply) -> Result<Vec<u8>> {
    let (status, length) = (reply.status, reply.body.len());
    let mut head = format!("HTTP/1.1 {status} -\r\ncontent-length: {length}\r\n").into_bytes();
    for (name, value) in &reply.headers {
        write!(head, "{name}: {value}\r\n")?;
    }
    head.extend_from_slice(b"\r\n");
    Ok(head)
}

/// Makes the end of the connection a reset.
fn reset(stream: &TcpStream) -> Result<()> {
    socket2::SockRef::from(stream).set_linger(Some(Duration::ZERO))
}

/// Whether the client is still there, as far as this machine knows.
fn still_there(stream: &TcpStream) -> bool {
    let peeked = stream
        .set_nonblocking(true)
        .and_then(|()| stream.peek(&mut [0]));
    let there = match peeked {
        Ok(bytes) => bytes > 0,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    };
    there && stream.set_nonblocking(false).is_ok()
}

/// Waits so long, or until the client goes away; whether it is still there.
fn still_there_after(stream: &TcpStream, time: Duration) -> bool {
    if time.is_zero() {
        return true;
    }
    let begun = Instant::now();
    let peeked = stream
        .set_read_timeout(Some(time))
        .and_then(|()| stream.peek(&mut [0]));
    let there = match peeked {
        Ok(0) => false,
        Ok(_) => {
            // The client has sent its next request already, so its end can no longer be seen.
            std::thread::sleep(time.saturating_sub(begun.elapsed()));
            true
        }
        Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
    };
    there && stream.set_read_timeout(None).is_ok()
}
