//! A run where nothing goes wrong.

use super::cluster::Cluster;
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
        first.err.contains("replies were stored by"),
        "{}",
        first.err
    );
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
