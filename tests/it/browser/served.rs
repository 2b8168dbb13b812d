//! The page as `tribunal view` serves it: on loopback, chunk by chunk, from nowhere else.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use super::{calmly, one, or_skip, project};
use crate::lab::{Lab, SPEC};

/// A server, ended when it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(lab: &Lab) -> Self {
        let mut child = lab
            .exactly(&["view", SPEC, "--port", "0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = said.find_map(|line| {
            let line = line.unwrap();
            let at = line.find("http://127.0.0.1:")?;
            Some(line[at..].split_whitespace().next().unwrap().to_owned())
        });
        Self {
            child,
            url: url.expect("it says where it is"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_page_that_is_served_asks_nobody_but_its_server_and_only_for_what_is_looked_at() {
    let Some(tab) = or_skip() else { return };
    let server = Server::start(project::finished());
    calmly(&tab, &server.url, &server.url, || {
        let chunks = "performance.getEntriesByType('resource').filter(one => one.name.includes('/chunks/')).length";
        assert!(tab.number(chunks) <= 2.0);
        tab.value("document.getElementById('judgements').scrollIntoView()");
        tab.wait(&one(".list-row"));
        assert!(
            (tab.number(chunks) - 2.0).abs() < 0.1,
            "the rows and nothing else"
        );
        tab.click(&one(".list-row"));
        tab.wait(&one(".detail .document .text"));
        assert!(tab.number(chunks) > 2.0);
        tab.press(&["Escape"]);
        tab.wait("!document.querySelector('.detail').checkVisibility()");
        // What is looked through comes together.
        let before = tab.number(chunks);
        tab.type_into(&one("#judgements-find"), "drags");
        tab.click(&one(".filter-whole input"));
        tab.wait("document.querySelector('.found').textContent === '8 of 24 judgements'");
        assert!(tab.number(chunks) <= before + 3.0);
    });
}
