//! Completion scripts and manual pages, in the programs that read them where those are there.

use std::process::{Command, Stdio};

use crate::lab::Lab;

/// Whether a program is there; says so where it is not.
fn there(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !found {
        eprintln!("skipped: `{program}` is not here");
    }
    found
}

/// What a shell says to a script that may use the completions of that shell, which lie at `$SCRIPT`.
fn asked(lab: &Lab, shell: &[&str], of: &str, script: &str) -> Option<String> {
    if !there(shell[0]) {
        return None;
    }
    let completions = lab.cmd(&["completions", of]).ok().out;
    lab.write("completions", &completions);
    let output = Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", script])
        .current_dir(lab.path(""))
        .env("SCRIPT", lab.path("completions"))
        .env("HOME", lab.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.is_empty(), "{said}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_verbs_flags_and_specs() {
    let lab = Lab::small();
    let script = r#"
        . "$SCRIPT"
        compopt() { :; }
        complete -p tribunal
        for typed in "ru" "run --js" "run exp" "run --with exp" "completions fi"; do
            COMP_WORDS=(tribunal $typed)
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMPREPLY=()
            _tribunal tribunal "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
        done"#;
    let Some(said) = asked(&lab, &["bash", "--norc"], "bash", script) else {
        return;
    };
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("-F _tribunal"), "{said}");
    let spec = "experiment.toml";
    assert_eq!(lines[1..], ["run", "--json", spec, spec, "fish"]);
}

#[test]
fn zsh_takes_the_script_and_fish_completes_verbs_and_flags() {
    let lab = Lab::small();
    let script = r#"
        cp "$SCRIPT" _tribunal
        fpath=($PWD $fpath)
        autoload -Uz compinit
        compinit -u -d dump
        print $_comps[tribunal]"#;
    if let Some(said) = asked(&lab, &["zsh", "-f"], "zsh", script) {
        assert_eq!(said, "_tribunal\n");
    }
    let script = "source $SCRIPT; complete -C'tribunal ru'; complete -C'tribunal run --js'";
    if let Some(said) = asked(&lab, &["fish", "--no-config"], "fish", script) {
        assert!(
            said.starts_with("run\t") && said.contains("\n--json\t"),
            "{said}"
        );
    }
}

#[test]
fn manual_pages_are_read_without_a_warning() {
    let lab = Lab::small();
    lab.cmd(&["man", "--into", "man"]).ok();
    let pages = lab.files("man");
    assert!(
        pages.iter().any(|page| page.ends_with("tribunal.1")),
        "{pages:?}"
    );
    assert!(
        pages.iter().any(|page| page.ends_with("tribunal-run.1")),
        "{pages:?}"
    );
    for page in &pages {
        assert!(fs_err::read(page).unwrap().is_ascii(), "{}", page.display());
    }
    if !there("groff") {
        return;
    }
    for page in pages {
        let output = Command::new("groff")
            .args(["-man", "-Tascii", "-ww", "-P-c", "-rLL=80n"])
            .arg(&page)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        // Debian's smaller package has no macros.
        if said.contains("can't open file") || said.contains("can't find macro file") {
            eprintln!("skipped: groff has no macros for manual pages");
            return;
        }
        assert!(said.is_empty(), "{}: {said}", page.display());
    }
}
