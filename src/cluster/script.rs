//! The script of an array. It holds words of the profile and paths; no parameter of the experiment and no secret.

use std::path::Path;

/// The script that starts the worker in place of its shell, so that signals to the shell reach it.
pub fn script(
    preamble: &[String],
    program: &str,
    session: &Path,
    token: &str,
    folder: &Path,
) -> String {
    let mut lines = vec![
        "#!/bin/bash".to_owned(),
        "# Written by tribunal for one array of jobs; changes have no effect.".to_owned(),
    ];
    lines.push(format!(
        "exec >>{}/\"${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}.out\" 2>&1",
        quoted(&session.join("out").to_string_lossy())
    ));
    lines.extend(preamble.iter().cloned());
    lines.push(format!(
        "cd {} || exit 1",
        quoted(&folder.to_string_lossy())
    ));
    lines.push(format!(
        "exec {} work {} {}",
        quoted(program),
        quoted(&session.to_string_lossy()),
        quoted(token)
    ));
    lines.join("\n") + "\n"
}

/// A word of a shell that means itself.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_blanks_and_quotes_stay_one_word() {
        let text = script(
            &["module load cuda/12".to_owned()],
            "/opt/my tools/tribunal",
            Path::new("/data/it's/cache/v1/jobs/a"),
            "tribunal-a-0",
            Path::new("/home/me"),
        );
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            [
                r#"exec >>'/data/it'\''s/cache/v1/jobs/a/out'/"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}.out" 2>&1"#,
                "module load cuda/12",
                "cd /home/me || exit 1",
                r"exec '/opt/my tools/tribunal' work '/data/it'\''s/cache/v1/jobs/a' tribunal-a-0",
            ]
        );
    }
}
