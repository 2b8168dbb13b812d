//! Zip archives of others: their directory, and what is in them, never more than is asked for.
//!
//! Nothing is written, so a name in an archive leads nowhere. Sizes are checked against the bytes, whatever a header says.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::DeflateDecoder;

/// The largest file that is read, and the largest that one unpacks to.
pub(super) const LARGEST: u64 = 1_000_000_000;

/// How much a member, and all that are read, may unpack to: so much, and so many times what is packed. Logs come to a tenth or
/// a twentieth; JSON takes many times its bytes once it is read.
const ROOM: (u64, u64) = (16_000_000, 100);

/// The most members that are listed.
const MEMBERS: usize = 1_000_000;

const END: [u8; 4] = *b"PK\x05\x06";
const MEMBER: [u8; 4] = *b"PK\x01\x02";
const LOCAL: [u8; 4] = *b"PK\x03\x04";

/// An archive in memory.
pub(super) struct Archive<'b> {
    bytes: &'b [u8],
    members: BTreeMap<String, Member>,
    /// How many bytes were unpacked.
    unpacked: Cell<u64>,
}

struct Member {
    method: u16,
    packed: usize,
    size: u64,
    at: usize,
    sum: u32,
}

impl<'b> Archive<'b> {
    /// Reads the directory.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn of(bytes: &'b [u8]) -> Result<Self, String> {
        let end = end(bytes).ok_or("the zip has no directory: it was cut short")?;
        let count = usize::from(two(bytes, end + 10).ok_or(CUT)?);
        let mut at = usize_of(four(bytes, end + 16))?;
        if count == usize::from(u16::MAX) || at == u32::MAX as usize {
            return Err("the zip has more members or bytes than are read".to_owned());
        }
        let mut members = BTreeMap::new();
        for _ in 0..count.min(MEMBERS) {
            if bytes.get(at..at + 4) != Some(&MEMBER[..]) {
                return Err(CUT.to_owned());
            }
            let length = |offset: usize| two(bytes, at + offset).map(usize::from).ok_or(CUT);
            let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
            let bytes_of_name = bytes.get(at + 46..at + 46 + name).ok_or(CUT)?;
            let member = Member {
                method: two(bytes, at + 10).ok_or(CUT)?,
                sum: four(bytes, at + 16).ok_or(CUT)?,
                packed: usize_of(four(bytes, at + 20))?,
                size: u64::from(four(bytes, at + 24).ok_or(CUT)?),
                at: usize_of(four(bytes, at + 42))?,
            };
            let name_of = String::from_utf8_lossy(bytes_of_name).into_owned();
            // Of two of one name the later one counts, as for other readers.
            members.insert(name_of, member);
            at += 46 + name + extra + comment;
        }
        Ok(Self {
            bytes,
            members,
            unpacked: Cell::new(0),
        })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// The bytes of a member, if they are those that the directory tells of.
    ///
    /// # Errors
    /// Why they cannot be read.
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let member = self.members.get(name).ok_or("there is no such member")?;
        let bytes = self.bytes;
        if bytes
            .get(member.at..)
            .is_none_or(|rest| !rest.starts_with(&LOCAL))
        {
            return Err(CUT.to_owned());
        }
        // Several names may be of one member.
        let all = self.unpacked.get().saturating_add(member.size);
        let fits = |size: u64, packed: usize| size <= ROOM.0 + ROOM.1 * packed as u64;
        if all > LARGEST || !fits(member.size, member.packed) || !fits(all, bytes.len()) {
            return Err("it unpacks to more than is read".to_owned());
        }
        self.unpacked.set(all);
        let length = |offset: usize| two(bytes, member.at + offset).map(usize::from).ok_or(CUT);
        let begin = member.at + 30 + length(26)? + length(28)?;
        let end = begin.checked_add(member.packed).ok_or(CUT)?;
        let packed = bytes.get(begin..end).ok_or(CUT)?;
        let mut found = Vec::new();
        // One byte more than it says, to see that there are not more.
        let most = member.size + 1;
        let unpacked = match member.method {
            0 => packed.take(most).read_to_end(&mut found),
            8 => DeflateDecoder::new(packed)
                .take(most)
                .read_to_end(&mut found),
            93 => zstd::Decoder::new(packed)
                .and_then(|decoder| decoder.take(most).read_to_end(&mut found)),
            other => {
                return Err(format!(
                    "it is packed in a way that is not read (method {other})"
                ));
            }
        };
        unpacked.map_err(|error| error.to_string())?;
        let mut sum = flate2::Crc::new();
        sum.update(&found);
        if found.len() as u64 != member.size || sum.sum() != member.sum {
            return Err("it is damaged: its checksum is another".to_owned());
        }
        Ok(found)
    }
}

const CUT: &str = "the zip is damaged";

/// Where the end of the directory is, which a comment may follow.
fn end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(22)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last)
        .rev()
        .find(|&at| bytes.get(at..at + 4) == Some(&END[..]))
}

fn two(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(bytes.try_into().ok()?))
}

fn four(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().ok()?))
}

fn usize_of(number: Option<u32>) -> Result<usize, String> {
    let number = number.ok_or(CUT)?;
    usize::try_from(number).map_err(|_| CUT.to_owned())
}
