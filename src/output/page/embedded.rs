//! The judgements in a page: elements of chunks, and behind them what a later page that shows the same must know to take them
//! over.
//!
//! What is read is taken for a page's only if it is, byte for byte, what was written: a page can be cut, edited or of
//! another version.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Seek, SeekFrom, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde::{Deserialize, Serialize};

use super::store::Keep;
use super::{Chunk, Store, VERSION};
use crate::base::key::{Digest, Digesting};

/// So many bytes of chunks stand in one element, or one chunk of more.
const TOGETHER: usize = 1 << 17;

/// How an element of chunks begins, up to their names.
const CHUNKS: &str = "<script type=\"text/plain\" data-chunk=\"";

/// What stands between the names of chunks that are the same.
const SAME: char = '=';

/// What stands between the names and the first chunk.
const NAMED: &str = "\">";

/// How the foot begins.
const FOOT: &str = "<script type=\"application/json\" data-store>";

/// How both end.
const END: &str = "</script>";

/// The longest foot that is read.
const LONGEST: u64 = 1 << 20;

/// What stands behind the chunks.
#[derive(Serialize, Deserialize)]
struct Foot<S> {
    #[serde(flatten)]
    store: S,
    /// Where the first element begins.
    at: u64,
    /// Of what is said of the store, and of the names and bytes of all chunks.
    digest: Digest,
}

/// Writes the chunks, of which the first element begins at `at`.
pub(super) fn write(
    store: &Store,
    kept: &mut dyn Keep,
    at: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut digest = begun(store)?;
    let (chunks, names) = named(&store.chunks);
    for group in groups(&chunks) {
        let of_all: Vec<&str> = group.iter().map(|chunk| &*names[&chunk.at]).collect();
        write!(out, "{CHUNKS}{}{NAMED}", of_all.join(" "))?;
        for (at, (chunk, names)) in group.iter().zip(of_all).enumerate() {
            if at > 0 {
                out.write_all(b"\n")?;
            }
            let bytes = kept.read(chunk.at, chunk.length)?;
            add(&mut digest, names, &bytes);
            let mut coded = EncoderWriter::new(&mut *out, &STANDARD);
            coded.write_all(&bytes)?;
            coded.finish()?;
        }
        writeln!(out, "{END}")?;
    }
    let foot = Foot {
        store,
        at: at as u64,
        digest: digest.end(),
    };
    // Nothing in it ends the element.
    let foot = serde_json::to_string(&foot)?.replace('<', "\\u003c");
    writeln!(out, "{FOOT}{foot}{END}")
}

/// Reads the judgements of a page that ends at `end`, if they are in it as they were written; their chunks go to `keep`.
///
/// # Errors
/// When the page cannot be read, or a chunk not kept.
pub fn read(
    page: &mut (impl BufRead + Seek),
    end: u64,
    keep: &mut impl Keep,
) -> io::Result<Option<Store>> {
    let start = end.saturating_sub(LONGEST);
    let mut tail = Vec::new();
    page.seek(SeekFrom::Start(start))?;
    (&mut *page).take(end - start).read_to_end(&mut tail)?;
    let Some(place) = memchr::memmem::rfind(&tail, FOOT.as_bytes()) else {
        return Ok(None);
    };
    let foot = tail[place + FOOT.len()..].split(|byte| *byte == b'<');
    let foot = foot
        .into_iter()
        .next()
        .map(serde_json::from_slice::<Foot<Store>>);
    let Some(Ok(Foot { store, at, digest })) = foot else {
        return Ok(None);
    };
    page.seek(SeekFrom::Start(at))?;
    let elements = page.take((start + place as u64).saturating_sub(at));
    let Some((mut chunks, read)) = chunks(elements, begun(&store)?, keep)? else {
        return Ok(None);
    };
    // Those that are the same stand together in a page.
    chunks.sort_by_cached_key(Chunk::rank);
    Ok((read == digest).then_some(Store { chunks, ..store }))
}

/// The chunks of elements, with their digest; nothing, where these are no elements of chunks.
fn chunks(
    mut elements: impl BufRead,
    mut digest: Digesting,
    keep: &mut impl Keep,
) -> io::Result<Option<(Vec<Chunk>, Digest)>> {
    let (mut chunks, mut at) = (Vec::new(), 0);
    let mut names = Vec::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        if elements.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let Some(coded) = next(&line, &mut names) else {
            return Ok(None);
        };
        let (Some(names), Ok(bytes)) = (names.pop(), STANDARD.decode(coded)) else {
            return Ok(None);
        };
        add(&mut digest, &names, &bytes);
        keep.add(&bytes)?;
        let length = bytes.len();
        let names = names.split(SAME).map(str::to_owned);
        chunks.extend(names.filter_map(|name| Chunk::read(name, at, length)));
        at += length as u64;
    }
    Ok(names.is_empty().then(|| (chunks, digest.end())))
}

/// The chunks of which each lies in a place of its own, in the order of these, and the names of all that lie there.
fn named(all: &[Chunk]) -> (Vec<&Chunk>, BTreeMap<u64, String>) {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut chunks = Vec::new();
    for chunk in all {
        let names = names.entry(chunk.at).or_default();
        if names.is_empty() {
            chunks.push(chunk);
        } else {
            names.push(SAME);
        }
        names.push_str(&chunk.name);
    }
    (chunks, names)
}

/// The chunk in a line, as it is coded. `names` are those of the element whose chunks have not come yet, the last first.
fn next<'l>(line: &'l [u8], names: &mut Vec<String>) -> Option<&'l [u8]> {
    let mut coded = line.strip_suffix(b"\n")?;
    if names.is_empty() {
        let named = coded.strip_prefix(CHUNKS.as_bytes())?;
        let end = memchr::memmem::find(named, NAMED.as_bytes())?;
        let all = std::str::from_utf8(&named[..end]).ok()?;
        names.extend(all.split(' ').rev().map(str::to_owned));
        coded = &named[end + NAMED.len()..];
    }
    if names.len() == 1 {
        coded = coded.strip_suffix(END.as_bytes())?;
    }
    Some(coded)
}

/// The digest of a foot, before the chunks.
fn begun(store: &Store) -> io::Result<Digesting> {
    Ok(Digesting::of(&serde_json::to_vec(&(VERSION, store))?))
}

fn add(digest: &mut Digesting, names: &str, bytes: &[u8]) {
    digest.add(names.as_bytes());
    digest.add(&(bytes.len() as u64).to_le_bytes());
    digest.add(bytes);
}

/// The chunks by the elements that they stand in: a browser takes a millisecond for an element, whatever is in it. The first,
/// which everybody looks at, stands alone.
fn groups<'g, 'c>(chunks: &'g [&'c Chunk]) -> Vec<&'g [&'c Chunk]> {
    let (index, rest) = chunks.split_at(chunks.len().min(1));
    let mut groups = vec![index];
    let (mut start, mut bytes) = (0, 0);
    for (at, chunk) in rest.iter().enumerate() {
        if bytes > 0 && bytes + chunk.length > TOGETHER {
            groups.push(&rest[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += chunk.length;
    }
    groups.push(&rest[start..]);
    groups.retain(|group| !group.is_empty());
    groups
}
