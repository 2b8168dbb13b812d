//! Files of rows: rendered part by part, so that no more of a long table is in memory than a part.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use super::seal::{Fingerprint, is_marked, mark};
use super::whole::failed;
use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::stamp::Stamp;
use crate::base::whole::Pending;
use crate::engine::{Exported, Opened};
use crate::frame::{Frame, FrameError};
use crate::stage::ExportFormat;

/// Rows that become a file.
pub(crate) struct Rows<'r> {
    /// The file by its path below the folder.
    pub(crate) name: String,
    pub(crate) of: &'r Exported,
    pub(crate) format: ExportFormat,
}

/// A file of rows that is ready for its place, or stands there.
pub(super) struct Made {
    pub(super) name: String,
    pub(super) digest: Digest,
    path: PathBuf,
    /// Nothing, if the file has these bytes.
    pending: Option<Pending>,
}

impl Made {
    /// Whether the file has these bytes.
    pub(super) fn is_there(&self) -> bool {
        self.pending.is_none()
    }

    /// Puts it in its place.
    pub(super) fn keep(self) -> Result<(), Error> {
        let kept = self.pending.map_or(Ok(()), Pending::keep);
        kept.map_err(|error| failed(&self.path, &error))
    }
}

/// Changes whenever rows are written otherwise than before.
const VERSION: &str = "1";

impl Rows<'_> {
    /// Makes the file that will be at `path`, whose folder is there. One that stands there with the same bytes is left alone;
    /// one that was written from the same rows, with the digest that is `known`, is not even read if nobody touched it since.
    pub(super) fn make(&self, path: PathBuf, known: Option<Digest>) -> Result<Made, Error> {
        let made = |path, digest, pending| Made {
            name: self.name.clone(),
            digest,
            path,
            pending,
        };
        // What is no file, such as a pipe, is not read, and makes room.
        let there = regular::open(&path).ok();
        if let (Some(there), Some(digest)) = (&there, known)
            && is_marked(there, self.seal(there, &digest).as_bytes())
        {
            return Ok(made(path, digest, None));
        }
        let rows = self.of.open();
        let rows = rows.map_err(|damage| Error::new(Exit::Stage, damage.to_string()))?;
        if let Some(there) = there {
            let before = Stamp::of_file(&there);
            let mut same = Same::new(there);
            let rendered = self.render(&rows, &mut same);
            match (rendered, same.end()) {
                // Nobody wrote to what was compared already.
                (Ok(()), Some((there, digest)))
                    if before.is_some() && Stamp::of_file(&there) == before =>
                {
                    // Where times cannot be set it is read again the next time.
                    let _ = mark(&there, self.seal(&there, &digest).as_bytes());
                    return Ok(made(path, digest, None));
                }
                // Somebody did, or it ended with the first other byte.
                (Ok(()), Some(_)) | (_, None) | (Err(Trouble::Write(_)), _) => {}
                (Err(Trouble::Rows(error)), _) => return Err(broken(&error)),
            }
        }
        let mut pending = Pending::begin(&path).map_err(|error| failed(&path, &error))?;
        let mut file = Hashed {
            to: BufWriter::new(pending.file()),
            hasher: blake3::Hasher::new(),
        };
        let rendered = self.render(&rows, &mut file);
        rendered.map_err(|trouble| match trouble {
            Trouble::Write(error) => failed(&path, &error),
            Trouble::Rows(error) => broken(&error),
        })?;
        file.to.flush().map_err(|error| failed(&path, &error))?;
        let digest = Digest::from_bytes(*file.hasher.finalize().as_bytes());
        drop(file);
        let seal = self.seal(pending.file(), &digest);
        let _ = mark(pending.file(), seal.as_bytes());
        Ok(made(path, digest, Some(pending)))
    }

    /// What a file of that length with this digest is sealed with, by the time at which it was written.
    fn seal(&self, file: &File, digest: &Digest) -> String {
        let length = file.metadata().map(|about| about.len());
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(VERSION);
        fingerprint.add(env!("CARGO_PKG_VERSION"));
        fingerprint.add(match self.format {
            ExportFormat::Csv => "csv",
            ExportFormat::Jsonl => "jsonl",
            ExportFormat::Parquet => "parquet",
        });
        fingerprint.add(self.of.output().to_string());
        fingerprint.add(digest.to_string());
        fingerprint.add(length.unwrap_or_default().to_le_bytes());
        fingerprint.digest().to_string()
    }

    fn render(&self, rows: &Opened, to: &mut impl Write) -> Result<(), Trouble> {
        let parts = match rows {
            Opened::Whole(bytes) => {
                let rows = || Frame::from_parquet(&**bytes, None);
                let bytes = match self.format {
                    ExportFormat::Parquet => Frame::parquet_for_others(bytes)?,
                    ExportFormat::Csv => rows()?.to_csv()?,
                    ExportFormat::Jsonl => rows()?.to_jsonl()?,
                };
                return Ok(to.write_all(&bytes)?);
            }
            Opened::Long(parts) => parts,
        };
        if self.format == ExportFormat::Parquet {
            return Ok(parts.write_for_others(to)?);
        }
        for at in 0..parts.rows().len() {
            let part = parts.part(at)?;
            let bytes = match self.format {
                ExportFormat::Csv => part.to_csv()?,
                _ => part.to_jsonl()?,
            };
            // Under one header.
            let header = match self.format {
                ExportFormat::Csv if at > 0 => part.emptied().to_csv()?.len(),
                _ => 0,
            };
            to.write_all(&bytes[header..])?;
        }
        Ok(())
    }
}

/// Why rows were not written.
enum Trouble {
    Rows(FrameError),
    Write(io::Error),
}

impl From<FrameError> for Trouble {
    fn from(error: FrameError) -> Self {
        match error {
            // Of a disk that is full: it names no file.
            FrameError::Write(said) => Self::Write(io::Error::other(said)),
            error => Self::Rows(error),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

pub(super) fn broken(error: &FrameError) -> Error {
    let broken = Error::new(Exit::Stage, error.to_string());
    match error {
        FrameError::Changed(_) => {
            broken.hint("run again: what was changed is found and made again")
        }
        _ => broken,
    }
}

/// Compares what is written with a file.
struct Same {
    there: BufReader<File>,
    hasher: blake3::Hasher,
    differs: bool,
}

impl Same {
    fn new(there: File) -> Self {
        Self {
            there: BufReader::new(there),
            hasher: blake3::Hasher::new(),
            differs: false,
        }
    }

    /// The file and its digest, if all that was written is all there is.
    fn end(mut self) -> Option<(File, Digest)> {
        let ended = self.there.read(&mut [0]).is_ok_and(|read| read == 0);
        let digest = Digest::from_bytes(*self.hasher.finalize().as_bytes());
        (ended && !self.differs).then(|| (self.there.into_inner(), digest))
    }
}

impl Write for Same {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut there = vec![0; bytes.len()];
        self.differs = self.differs || self.there.read_exact(&mut there).is_err() || there != bytes;
        if self.differs {
            return Err(io::Error::other("the file has other bytes"));
        }
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps the digest of what is written.
struct Hashed<W> {
    to: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cache::NodeStore;
    use crate::frame::{ColumnData, ParquetStream};

    /// Rows in three parts, in memory and in a file.
    fn both(folder: &Path) -> [Exported; 2] {
        let part = |from: i64| {
            let lists = (from..from + 2).map(|n| Some(format!("[{n}]")));
            Frame::new(vec![
                (
                    "a \"b\"\nc".to_owned(),
                    ColumnData::text([format!("one, {from}"), String::new()]),
                ),
                ("n".to_owned(), ColumnData::Int(vec![Some(from), None])),
                ("list".to_owned(), ColumnData::Json(lists.collect())),
            ])
            .unwrap()
        };
        let mut bytes = Vec::new();
        let mut stream = ParquetStream::begin(&mut bytes, &part(0)).unwrap();
        for from in [0, 2, 4] {
            stream.push(&part(from)).unwrap();
        }
        stream.end().unwrap();
        let nodes = NodeStore::open(&folder.join("cache")).unwrap();
        nodes.restore(&bytes).unwrap();
        let stored = Exported::stored(Digest::of(&bytes), &nodes);
        assert!(matches!(stored.open(), Ok(Opened::Long(_))));
        [Exported::here(bytes), stored]
    }

    #[test]
    fn rows_that_are_written_part_by_part_are_those_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let both = both(folder.path());
        for format in [
            ExportFormat::Csv,
            ExportFormat::Jsonl,
            ExportFormat::Parquet,
        ] {
            let [whole, long] = both.each_ref().map(|rows| {
                let name = "file".to_owned();
                let made = Rows {
                    name,
                    of: rows,
                    format,
                }
                .make(path.clone(), None)
                .unwrap();
                let digest = made.digest;
                made.keep().unwrap();
                let bytes = fs_err::read(&path).unwrap();
                assert_eq!(digest, Digest::of(&bytes));
                fs_err::remove_file(&path).unwrap();
                bytes
            });
            assert!(whole == long, "{format:?}");
        }
    }

    #[test]
    fn a_file_that_has_the_rows_is_left_alone_and_one_that_has_others_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [_, long] = both(folder.path());
        let rows = Rows {
            name: "file".to_owned(),
            of: &long,
            format: ExportFormat::Jsonl,
        };
        let made = rows.make(path.clone(), None).unwrap();
        let digest = made.digest;
        made.keep().unwrap();
        let again = rows.make(path.clone(), None).unwrap();
        assert!(again.pending.is_none() && again.digest == digest);
        let bytes = fs_err::read(&path).unwrap();
        let other = [&bytes[..20], b"x", &bytes[21..]].concat();
        for other in [
            &bytes[..bytes.len() - 1],
            &[&bytes[..], b"\n"].concat(),
            &other,
            b"",
        ] {
            fs_err::write(&path, other).unwrap();
            for known in [None, Some(digest)] {
                let again = rows.make(path.clone(), known).unwrap();
                assert!(again.pending.is_some() && again.digest == digest);
            }
        }
    }

    #[test]
    fn a_file_that_nobody_touched_is_not_read_and_neither_are_its_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [_, stored] = both(folder.path());
        let rows = |format| Rows {
            name: "file".to_owned(),
            of: &stored,
            format,
        };
        let made = rows(ExportFormat::Csv).make(path.clone(), None).unwrap();
        let digest = made.digest;
        made.keep().unwrap();
        let bytes = fs_err::read(&path).unwrap();
        let time = fs_err::metadata(&path).unwrap().modified().unwrap();
        // Which is how it is known that nothing was read.
        fs_err::remove_dir_all(folder.path().join("cache/v1/blobs")).unwrap();
        let again = rows(ExportFormat::Csv).make(path.clone(), Some(digest));
        let again = again.unwrap();
        assert!(again.pending.is_none() && again.digest == digest);
        // Another format, digest, length or time: all are a reason to look.
        let other = Some(Digest::of("other"));
        assert!(
            rows(ExportFormat::Jsonl)
                .make(path.clone(), Some(digest))
                .is_err()
        );
        assert!(rows(ExportFormat::Csv).make(path.clone(), other).is_err());
        fs_err::write(&path, &bytes).unwrap();
        let touched = rows(ExportFormat::Csv).make(path.clone(), Some(digest));
        let said = touched.err().map(|error| error.message);
        assert!(said.is_some_and(|said| said.contains("cache")));
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        assert!(
            rows(ExportFormat::Csv)
                .make(path.clone(), Some(digest))
                .is_ok()
        );
        file.set_len(3).unwrap();
        file.set_modified(time).unwrap();
        assert!(rows(ExportFormat::Csv).make(path, Some(digest)).is_err());
    }

    #[test]
    fn a_file_that_is_found_to_have_the_rows_is_not_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [_, stored] = both(folder.path());
        let rows = Rows {
            name: "file".to_owned(),
            of: &stored,
            format: ExportFormat::Parquet,
        };
        rows.make(path.clone(), None).unwrap().keep().unwrap();
        let bytes = fs_err::read(&path).unwrap();
        fs_err::write(&path, &bytes).unwrap();
        let digest = rows.make(path.clone(), None).unwrap().digest;
        fs_err::remove_dir_all(folder.path().join("cache/v1/blobs")).unwrap();
        assert!(rows.make(path, Some(digest)).is_ok());
    }
}
