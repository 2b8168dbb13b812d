//! Archives that are refused: altered ones, and ones that tribunal would never write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tribunal::base::key::Digest;
use tribunal::publish::bundle::{
    BundleError, Experiment, FORMAT, Item, MANIFEST, Manifest, What, unpack,
};

use super::elsewhere::{ARCHIVE, Elsewhere, bundle, files};
use crate::lab::Lab;

/// A file of a hand-made archive: sort, path as it stands in the header, bytes.
type Part<'p> = (tar::EntryType, &'p [u8], &'p [u8]);

const FILE: tar::EntryType = tar::EntryType::Regular;

fn manifest(items: &[(&str, &[u8])]) -> Manifest {
    Manifest {
        format: FORMAT,
        tribunal: "0.0.0".to_owned(),
        cache_format: 1,
        experiments: Vec::<Experiment>::new(),
        texts: false,
        replies: false,
        licence: None,
        files: items
            .iter()
            .map(|(path, bytes)| Item {
                path: (*path).to_owned(),
                bytes: bytes.len() as u64,
                digest: Digest::of(bytes),
                what: What::Spec,
                licences: Vec::new(),
            })
            .collect(),
        inputs: Vec::new(),
        books: BTreeMap::new(),
        withheld: BTreeSet::new(),
    }
}

fn tar_of(parts: &[Part<'_>]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (sort, path, bytes) in parts {
        let mut header = tar::Header::new_ustar();
        header.as_old_mut().name[..path.len()].copy_from_slice(path);
        header.set_entry_type(*sort);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o777);
        if matches!(sort, tar::EntryType::Symlink | tar::EntryType::Link) {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap()
}

/// Unpacks these bytes into an empty folder; whatever is refused leaves nothing behind.
fn try_unpack(archive: &[u8]) -> Result<BTreeMap<String, blake3::Hash>, BundleError> {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("a.tar.zst");
    fs_err::write(&file, archive).unwrap();
    let folder = home.path().join("there");
    let result = unpack::<BundleError>(&file, &folder, None, |_| Ok(()));
    let left: Vec<_> = fs_err::read_dir(home.path()).unwrap().collect();
    assert_eq!(left.len(), if result.is_ok() { 2 } else { 1 });
    result.map(|_| files(&folder))
}

fn packed(tar: &[u8]) -> Vec<u8> {
    zstd::encode_all(tar, 1).unwrap()
}

#[test]
fn archives_that_would_reach_out_of_their_folder_are_refused() {
    let own = manifest(&[("a.txt", b"a"), ("b.txt", b"b")]).to_bytes();
    let lead: Part<'_> = (FILE, MANIFEST.as_bytes(), &own);
    let a: Part<'_> = (FILE, b"a.txt", b"a");
    let b: Part<'_> = (FILE, b"b.txt", b"b");
    let mut said = Vec::new();
    let mut refuse = |what: &str, archive: &[u8]| {
        let error = try_unpack(archive).unwrap_err();
        said.push(format!("{what}: {error}"));
    };
    let mut parts = |what: &str, parts: &[Part<'_>]| refuse(what, &packed(&tar_of(parts)));
    for (what, sort, path) in [
        ("absolute", FILE, &b"/tmp/x"[..]),
        ("drive", FILE, b"C:\\x"),
        ("leaves", FILE, b"../x"),
        ("leaves later", FILE, b"a/../../x"),
        ("leaves on windows", FILE, b"a\\..\\..\\x"),
        ("sign", FILE, b"docs/a:b"),
        ("line", FILE, b"a\nb"),
        ("device name", FILE, b"docs/nul.txt"),
        ("end", FILE, b"a.txt."),
        ("empty step", FILE, b"a//b"),
        ("not UTF-8", FILE, b"a\xff"),
        ("symbolic link", tar::EntryType::Symlink, b"a.txt"),
        ("hard link", tar::EntryType::Link, b"a.txt"),
        ("device", tar::EntryType::Char, b"a.txt"),
        ("pipe", tar::EntryType::Fifo, b"a.txt"),
        ("folder", tar::EntryType::Directory, b"docs/"),
        ("long name", tar::EntryType::GNULongName, b"././@LongLink"),
        ("sparse", tar::EntryType::GNUSparse, b"a.txt"),
        ("unlisted", FILE, b"c.txt"),
        ("another case", FILE, b"A.txt"),
    ] {
        let content: &[u8] = if sort == FILE { b"x" } else { b"" };
        parts(what, &[lead, (sort, path, content)]);
    }
    parts("twice", &[lead, a, a]);
    parts("manifest twice", &[lead, lead, a, b]);
    parts("missing", &[lead, a]);
    parts("longer", &[lead, (FILE, b"a.txt", b"aa"), b]);
    parts("other bytes", &[lead, (FILE, b"a.txt", b"x"), b]);
    parts("no manifest", &[a, b]);
    parts("manifest later", &[a, lead, b]);
    parts("nothing", &[]);
    refuse("no archive", b"PK\x03\x04 something else");
    refuse("empty", b"");
    let whole = packed(&tar_of(&[lead, a, b]));
    refuse("cut", &whole[..whole.len() - 4]);
    refuse("more after it", &[&whole[..], b"x"].concat());
    refuse("another after it", &[&whole[..], &whole[..]].concat());
    let more = [tar_of(&[lead, a, b]), vec![b'x'; 512]].concat();
    refuse("more within", &packed(&more));
    assert!(try_unpack(&whole).is_ok());
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn manifests_that_cannot_be_right_are_refused() {
    let mut said = Vec::new();
    let mut refuse = |what: &str, bytes: &[u8]| {
        let error = try_unpack(&packed(&tar_of(&[(FILE, MANIFEST.as_bytes(), bytes)])));
        said.push(format!("{what}: {}", error.unwrap_err()));
    };
    let of = |items: &[(&str, &[u8])]| manifest(items).to_bytes();
    refuse("absolute", &of(&[("/a", b"")]));
    refuse("leaves", &of(&[("a/../../b", b"")]));
    refuse("twice", &of(&[("a", b""), ("a", b"")]));
    refuse("case", &of(&[("docs/a", b""), ("docs/A", b"")]));
    refuse("case of a folder", &of(&[("docs/a", b""), ("Docs/b", b"")]));
    refuse("file and folder", &of(&[("a", b""), ("a/b", b"")]));
    refuse("the manifest itself", &of(&[(MANIFEST, b"")]));
    refuse(
        "the manifest in capitals",
        &of(&[("TRIBUNAL.bundle.json", b"")]),
    );
    refuse("git", &of(&[("docs/.Git/config", b"")]));
    refuse("git, shortened", &of(&[("GIT~1/config", b"")]));
    refuse("attributes", &of(&[(".gitattributes", b"")]));
    refuse(
        "a bare repository",
        &of(&[("HEAD", b""), ("objects/x", b""), ("refs/x", b"")]),
    );
    refuse(
        "one within",
        &of(&[("a/head", b""), ("a/Objects/x", b""), ("a/refs/x", b"")]),
    );
    refuse(
        "one elsewhere",
        &of(&[("a/HEAD", b""), ("a/commondir", b"")]),
    );
    refuse(
        "the file of a machine",
        &of(&[("tribunal.local.toml", b"")]),
    );
    refuse(
        "the same below",
        &of(&[("experiments/Tribunal.local.toml", b"")]),
    );
    let next = Manifest {
        format: FORMAT + 1,
        ..manifest(&[])
    };
    refuse("another format", &next.to_bytes());
    let mut large = manifest(&[("a", b""), ("b", b"")]);
    large.files[0].bytes = u64::MAX;
    large.files[1].bytes = 2;
    refuse("overflow", &large.to_bytes());
    large.files[0].bytes = 1 << 40;
    refuse("bomb", &large.to_bytes());
    let lacks = Manifest {
        experiments: vec![Experiment {
            spec: "x.toml".to_owned(),
            title: None,
        }],
        ..manifest(&[])
    };
    refuse("spec is not there", &lacks.to_bytes());
    refuse("no JSON", b"{");
    let text = String::from_utf8(of(&[("a", b"")])).unwrap();
    refuse("altered", text.replace("\"a\"", "\"b\"").as_bytes());
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn what_a_receiver_would_refuse_is_not_bundled() {
    for (from, to) in [("templates", ".gitlab"), ("templates", "a/git~1")] {
        let lab = Lab::small();
        lab.append(&format!("[paths]\ntemplates = \"{to}\""));
        fs_err::create_dir_all(lab.path(to).parent().unwrap()).unwrap();
        fs_err::rename(lab.path(from), lab.path(to)).unwrap();
        lab.write("tribunal.local.toml", "");
        lab.run(&[]).ok();
        let said = bundle(&lab, &[]).exit(3);
        assert!(
            said.err.contains(to.rsplit('/').next().unwrap()),
            "{}",
            said.err
        );
        assert!(!lab.path(ARCHIVE).exists());
    }
}

#[test]
fn a_bundle_with_one_altered_byte_is_refused_or_the_same() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &["--with-texts"]).ok();
    let archive = fs_err::read(lab.path(ARCHIVE)).unwrap();
    let right = try_unpack(&archive).unwrap();
    let tar = zstd::decode_all(&archive[..]).unwrap();
    let mut refused = 0;
    let mut attempt = |altered: &[u8]| match try_unpack(altered) {
        Ok(unpacked) => assert_eq!(unpacked, right),
        Err(_) => refused += 1,
    };
    for at in (0..archive.len()).step_by(archive.len() / 150 + 1) {
        let mut altered = archive.clone();
        altered[at] ^= 1 << (at % 8);
        attempt(&altered);
    }
    // The same below the compression, where no checksum stands in front of ours.
    for at in (0..tar.len()).step_by(tar.len() / 150 + 1) {
        let mut altered = tar.clone();
        altered[at] ^= 1 << (at % 8);
        attempt(&packed(&altered));
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn a_folder_with_something_in_it_is_left_alone() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let before = files(elsewhere.home());
    let said = elsewhere.unbundle(&lab.path(ARCHIVE), &[]);
    assert_eq!(said.code, 2);
    insta::assert_snapshot!(said.err, @r"
    error: `there` is not an empty folder
    hint: name one that is not there yet: `--into FOLDER`
    ");
    assert_eq!(files(elsewhere.home()), before);
    // An empty one is filled, also as the current folder.
    let other = Elsewhere::new();
    fs_err::create_dir(other.path("")).unwrap();
    let archive = lab.path(ARCHIVE);
    let archive = archive.to_str().unwrap();
    other.cmd(&["unbundle", archive, "--into", "."]).ok();
    assert_eq!(other.run(&["--offline"]).ok().made(), (0, 0, 0));
    // And nothing that is there is overwritten by a bundle.
    let said = bundle(&lab, &[]).exit(2);
    assert!(said.err.contains("already exists"), "{}", said.err);
}

#[test]
fn only_the_expected_bundle_is_unpacked() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    let told = bundle(&lab, &[]).ok().out;
    let digest = told.lines().last().unwrap().rsplit(' ').next().unwrap();
    let elsewhere = Elsewhere::new();
    let archive = lab.path(ARCHIVE);
    let other = Digest::of("another").to_string();
    let said = elsewhere.unbundle(&archive, &["--expect", &other]);
    assert_eq!(said.code, 3, "{}", said.err);
    assert!(said.err.contains("not the expected"), "{}", said.err);
    assert!(!elsewhere.path("").exists());
    elsewhere.unbundle(&archive, &["--expect", digest]).ok();
    let manifest = fs_err::read(elsewhere.path(MANIFEST)).unwrap();
    assert_eq!(Digest::of(manifest).to_string(), digest);
}

#[test]
fn a_manifest_that_was_altered_after_it_was_unpacked_stops_the_run() {
    let lab = Lab::small();
    lab.run(&[]).ok();
    bundle(&lab, &[]).ok();
    let elsewhere = Elsewhere::unpacked(&lab);
    let path = elsewhere.path(MANIFEST);
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(&path, text.replace("docs/a.txt", "docs/c.txt")).unwrap();
    let said = elsewhere.run(&["--offline"]);
    assert_eq!(said.code, 3);
    assert!(
        said.err.contains("the manifest was altered"),
        "{}",
        said.err
    );
}

#[test]
fn nothing_of_the_archive_is_written_before_its_manifest_is_right() {
    // Two hundred megabytes of a file that is not in the manifest: refused at its header.
    let own = manifest(&[("a.txt", b"a")]).to_bytes();
    let zeros = vec![0; 200 << 20];
    let tar = tar_of(&[(FILE, MANIFEST.as_bytes(), &own), (FILE, b"z", &zeros)]);
    let error = try_unpack(&packed(&tar)).unwrap_err();
    assert_eq!(error, BundleError::Unlisted("z".to_owned()));
    assert!(Path::new(MANIFEST).is_relative());
}
