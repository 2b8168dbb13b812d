//! Files of rows: rendered part by part, so that no more of a long table is in memory than a part.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;

use super::whole::failed;
use crate::base::exit::{Error, Exit};
use crate::base::key::Digest;
use crate::base::regular;
use crate::base::whole::Pending;
use crate::engine::Exported;
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
    /// Puts it in its place.
    pub(super) fn keep(self) -> Result<(), Error> {
        let kept = self.pending.map_or(Ok(()), Pending::keep);
        kept.map_err(|error| failed(&self.path, &error))
    }
}

impl Rows<'_> {
    /// Makes the file that will be at `path`, whose folder is there. One that stands there with the same bytes is left alone.
    pub(super) fn make(&self, path: PathBuf) -> Result<Made, Error> {
        let made = |path, digest, pending| Made {
            name: self.name.clone(),
            digest,
            path,
            pending,
        };
        // What is no file, such as a pipe, is not read, and makes room.
        if let Ok(there) = regular::open(&path) {
            let mut same = Same::new(there);
            let rendered = self.render(&mut same);
            match (rendered, same.end()) {
                (Ok(()), Some(digest)) => return Ok(made(path, digest, None)),
                // It ended with the first other byte.
                (_, None) | (Err(Trouble::Write(_)), _) => {}
                (Err(Trouble::Rows(error)), _) => return Err(broken(&error)),
            }
        }
        let mut pending = Pending::begin(&path).map_err(|error| failed(&path, &error))?;
        let mut file = Hashed {
            to: BufWriter::new(pending.file()),
            hasher: blake3::Hasher::new(),
        };
        let rendered = self.render(&mut file);
        rendered.map_err(|trouble| match trouble {
            Trouble::Write(error) => failed(&path, &error),
            Trouble::Rows(error) => broken(&error),
        })?;
        file.to.flush().map_err(|error| failed(&path, &error))?;
        let digest = Digest::from_bytes(*file.hasher.finalize().as_bytes());
        drop(file);
        Ok(made(path, digest, Some(pending)))
    }

    fn render(&self, to: &mut impl Write) -> Result<(), Trouble> {
        let parts = match self.of {
            Exported::Whole(bytes) => {
                let rows = || Frame::from_parquet(bytes.to_vec(), None);
                let bytes = match self.format {
                    ExportFormat::Parquet => Frame::parquet_for_others(bytes)?,
                    ExportFormat::Csv => rows()?.to_csv()?,
                    ExportFormat::Jsonl => rows()?.to_jsonl()?,
                };
                return Ok(to.write_all(&bytes)?);
            }
            Exported::Long(parts) => parts,
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
    Error::new(Exit::Stage, error.to_string())
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

    /// The digest, if all that was written is all there is.
    fn end(mut self) -> Option<Digest> {
        let ended = self.there.read(&mut [0]).is_ok_and(|read| read == 0);
        let same = ended && !self.differs;
        same.then(|| Digest::from_bytes(*self.hasher.finalize().as_bytes()))
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
    use std::sync::Arc;

    use super::*;
    use crate::frame::{ColumnData, ParquetStream, Parted};

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
        let path = folder.join("rows");
        fs_err::write(&path, &bytes).unwrap();
        let parts = Parted::open(fs_err::File::open(path).unwrap()).unwrap();
        [
            Exported::Whole(Arc::new(bytes)),
            Exported::Long(Arc::new(parts)),
        ]
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
                .make(path.clone())
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
        let made = rows.make(path.clone()).unwrap();
        let digest = made.digest;
        made.keep().unwrap();
        let again = rows.make(path.clone()).unwrap();
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
            let again = rows.make(path.clone()).unwrap();
            assert!(again.pending.is_some() && again.digest == digest);
        }
    }
}
