//! A real model beside the jobs, where its packages are: `tools/model_server.py -- cargo test --test it live`.

use std::path::Path;

use super::cluster::Cluster;
use super::{Servers, forward, lab, local, ran};

#[test]
fn a_real_model_is_served_beside_a_job_and_its_replies_are_the_tables() {
    if std::env::var_os("MODEL_SERVER_URL").is_none() {
        eprintln!(
            "skipped: the packages of a real model are not there (see tools/model_server.py)"
        );
        return;
    }
    let Some(cluster) = Cluster::start("") else {
        return;
    };
    let texts = 3;
    let servers = Servers::start();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let real = format!(
        "exec python3 {} --folder {} --port {{port}}",
        root.join("tools/model_server.py").display(),
        root.join("target/model-server").display()
    );
    let slurm = "time = \"10\"\ntasks = 1\nmemory = \"1G\"";
    let text = local(slurm, &forward::command(&servers.small.url()), &real);
    let lab = lab(texts).file("tribunal.local.toml", text);
    lab.change(
        "[models.large]\nprovider = \"openai\"\n",
        "[models.large]\nprovider = \"openai\"\nreported = \"*\"\nmax-tokens = 40\n",
    );
    let first = ran(&lab, &cluster, &[]);
    assert!([0, 4].contains(&first.code), "{}", first.err);
    // How many it takes lies with the model: replies that are cut off are asked for again.
    let number = |after: &str| {
        let before = first.err.split(after).next()?;
        before.rsplit([' ', '\n']).next()?.parse::<usize>().ok()
    };
    let stored = number(" replies were stored by 2 tasks");
    let calls = number(" calls ran in");
    assert!(calls >= Some(2 * texts), "{}", first.err);
    // A busy machine may not come to a task's last word in time.
    let all = !first.err.contains("at least ");
    assert!(stored == calls || !all && stored < calls, "{}", first.err);
    assert!(first.err.contains("0 stages were cached"), "{}", first.err);
    let again = lab.run(&["--offline"]);
    assert_eq!(again.tables, first.tables);
    assert_eq!(servers.small.count(), texts);
}
