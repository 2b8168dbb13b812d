//! `tribunal view`: the page of a finished run, served on this machine until Ctrl-C.

mod serve;

use std::net::{Ipv4Addr, SocketAddr};

use self::serve::Site;
use super::args::{HowArgs, ViewArgs};
use super::exit::{Error, Exit};
use super::forecast::{Told, engine};
use super::judgements;
use super::load::Loaded;
use super::output::Terminal;
use super::run::{Presses, execute, plans, resume};
use super::specs::load_all;
use crate::engine::NotReady;
use crate::plan::Plan;
use crate::wire::Secrets;
use crate::wording::{count, some_of, thousands};

pub(super) fn run(args: &ViewArgs, terminal: &mut Terminal) -> Result<Exit, Error> {
    let loaded = load_all(&args.spec, terminal)?;
    let plans = plans(&loaded, &[])?;
    check_known(&loaded, &plans, args, terminal)?;
    let how = HowArgs {
        jobs: None,
        offline: true,
        max_calls: None,
        max_cost: None,
        keep_going: true,
        fail_fast: false,
        json: false,
        quiet: true,
    };
    let ended = execute(&loaded, plans, &how, true, terminal)?;
    let store = judgements::store(&loaded, &ended);
    let judgements = store.judgements;
    let page = "<!doctype html><title>tribunal</title>".to_owned();
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
        let site = Site::new(page, store, address.port());
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

/// Refuses what would have to be run first.
fn check_known(
    loaded: &[Loaded],
    plans: &[Plan],
    args: &ViewArgs,
    terminal: &mut Terminal,
) -> Result<(), Error> {
    let (plan, _) = Plan::join(plans);
    let told = Told::new(true, terminal);
    let engine = engine(&loaded[0], plan, &told, true, Secrets::default())?;
    let Err(missing) = engine.known() else {
        return Ok(());
    };
    let all = engine.plan().nodes.len();
    let names: Vec<&str> = missing
        .iter()
        .map(|missing| missing.node.as_str())
        .collect();
    let broken =
        |missing: &NotReady| Some(format!("; `{}`: {}", missing.node, missing.why.as_ref()?));
    let why = missing.iter().find_map(broken).unwrap_or_default();
    let command = resume("run", &args.spec, std::iter::empty());
    Err(Error::new(
        Exit::Stage,
        format!(
            "{} of {} have no result yet: {}{why}",
            missing.len(),
            count(all, "stage"),
            some_of(&names)
        ),
    )
    .hint(format!("`{command}` first; `view` runs nothing")))
}

fn taken(port: u16, error: &std::io::Error) -> Error {
    Error::new(
        Exit::Usage,
        format!("port {port} of 127.0.0.1 cannot be used: {error}"),
    )
    .hint("leave `--port` out for a free one")
}
