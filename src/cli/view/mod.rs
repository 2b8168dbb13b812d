//! `tribunal view`: the page of a finished run, served on this machine until Ctrl-C.

mod serve;

use std::net::{Ipv4Addr, SocketAddr};

use self::serve::Site;
use super::args::ViewArgs;
use super::output::Terminal;
use super::presses::Presses;
use super::report::recall;
use super::specs::load_all;
use crate::base::exit::{Error, Exit};
use crate::base::wording::thousands;
use crate::publish::{Shown, served};

pub(super) fn run(args: &ViewArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    let command = args.spec.command("run", std::iter::empty());
    let ended = recall(&loaded, &command, terminal)?;
    let drawn = loaded.iter().zip(&ended.parts);
    let drawn = drawn
        .map(|(loaded, finished)| Shown::draw(&loaded.spec, finished))
        .collect::<Result<Vec<_>, _>>()?;
    let served = served(&loaded, &ended, &drawn)?;
    let judgements = served.judgements;
    // What ran is not needed any more, and its listening to the keyboard would end the process with an error.
    drop(ended);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut presses = Presses::listen()?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
        let listener = tokio::net::TcpListener::bind(address)
            .await
            .map_err(|error| taken(args.port, &error))?;
        let address = listener.local_addr()?;
        let site = Site::new(served, address.port());
        terminal.out(&format!("http://{address}/"));
        terminal.note(&format!(
            "{} here until Ctrl-C",
            match judgements {
                1 => "1 judgement is".to_owned(),
                n => format!("{} judgements are", thousands(n as u64)),
            }
        ));
        tokio::select! {
            () = site.serve(listener) => {}
            _ = presses.next() => {}
        }
        Ok(Exit::Done)
    })
}

fn taken(port: u16, error: &std::io::Error) -> Error {
    Error::new(
        Exit::Usage,
        format!("port {port} of 127.0.0.1 cannot be used: {error}"),
    )
    .hint("leave `--port` out for a free one")
}
