//! A run where nothing goes wrong.

use super::cluster::Cluster;
use crate::chat::{ChatServer, Fault, Faults};

use super::{QUICK, Servers, forward, lab, local, ran, undisturbed};

#[test]
fn a_run_on_three_nodes_gives_the_tables_of_a_run_on_one_machine_and_asks_once() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 60;
    let servers = Servers::start();
    let lab = lab(texts).file(
        "tribunal.local.toml",
        local(
            QUICK,
            &forward::command(&servers.small.url()),
            &forward::command(&servers.large.url()),
        ),
    );
    let first = ran(&lab, &cluster, &[]).ok();
    assert_eq!(first.tables, undisturbed(texts));
    for asked in servers.asked() {
        assert_eq!(asked.len(), texts);
        assert!(asked.values().all(|&times| times == 1), "{asked:?}");
    }
    assert!(
        first.err.contains("120 replies were stored by"),
        "{}",
        first.err
    );
    assert!(first.err.contains("120 calls ran"), "{}", first.err);
    // Nothing is left: no session, no job.
    assert!(lab.files("cache/v1/jobs").is_empty());
    assert_eq!(cluster.ask("squeue", &["--noheader"]), "");
    // And nothing to do, on the cluster or here.
    let again = ran(&lab, &cluster, &[]).ok();
    assert_eq!(again.tables, first.tables);
    assert!(again.err.contains("0 calls ran"), "{}", again.err);
    assert_eq!(lab.run(&["--offline"]).ok().tables, first.tables);
    assert_eq!(servers.count(), 2 * texts);
}

#[test]
fn a_reply_that_is_cut_off_at_a_job_is_made_again_there_and_each_is_counted() {
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 4;
    let servers = Servers {
        small: ChatServer::setup()
            .faults(Faults::none().first(1, Fault::Cut).at_most(1))
            .start(),
        large: ChatServer::start(),
    };
    let lab = lab(texts).file(
        "tribunal.local.toml",
        local(
            QUICK,
            &forward::command(&servers.small.url()),
            &forward::command(&servers.large.url()),
        ),
    );
    let first = ran(&lab, &cluster, &[]).ok();
    assert_eq!(first.tables["scores.csv"], undisturbed(texts)["scores.csv"]);
    let calls = 2 * texts + texts;
    assert_eq!(servers.count(), calls);
    for said in [
        format!("{calls} replies were stored by"),
        format!("{calls} calls ran"),
        "0 stages were cached".to_owned(),
    ] {
        assert!(first.err.contains(&said), "{said}: {}", first.err);
    }
}
