//! JSON lines too long to be in memory, read piece by piece: at once where the first piece has all that columns hold, or after all
//! were looked through.

use indexmap::IndexMap;
use rayon::prelude::*;

use super::build::Sort;
use super::{Frame, FrameError, Scalar};
use crate::base::json::{self, Json};

/// What the columns of JSON lines hold, in order of first appearance.
#[derive(Debug, Default)]
pub struct Lines {
    columns: IndexMap<String, Sort>,
}

impl Lines {
    /// Looks through a piece of whole lines; false, where only all lines together tell how they are read, or what is wrong
    /// with them: then they are to be read as [`Frame::from_jsonl`] reads them.
    pub fn look(&mut self, piece: &[u8]) -> bool {
        let Ok(piece) = std::str::from_utf8(piece) else {
            return false;
        };
        let sorts = |found: Option<IndexMap<String, Sort>>, line| {
            let mut found = found?;
            for (key, value) in object(line)? {
                found.entry(key).or_default().add(&Scalar::from(value));
            }
            Some(found)
        };
        let looked: Vec<Option<_>> = lines(piece)
            .into_par_iter()
            .fold(|| Some(IndexMap::new()), sorts)
            .collect();
        for found in looked {
            let Some(found) = found else {
                return false;
            };
            for (name, sort) in found {
                self.columns.entry(name).or_default().join(sort);
            }
        }
        // Many keys in many lines come to cells that are counted where all lines are known.
        self.columns.len() <= MOST && !self.columns.values().any(|sort| sort.is_mixed())
    }

    /// Adds what was found in another file; false, where a column holds other kinds of values there: such files are to be
    /// read each for itself and then put together.
    pub fn join(&mut self, other: Self) -> bool {
        other.columns.into_iter().all(|(name, sort)| {
            let mine = self.columns.entry(name).or_default();
            let fits = mine.is_empty() || sort.is_empty() || *mine == sort;
            mine.join(sort);
            fits
        })
    }

    /// The rows of a piece that was looked through.
    ///
    /// # Errors
    /// When it is not what it was.
    pub fn read(&self, piece: &[u8]) -> Result<Frame, FrameError> {
        let changed = || FrameError::Damaged("it was changed while it was read".to_owned());
        let piece = std::str::from_utf8(piece).map_err(|_| changed())?;
        table(&self.columns, objects(piece).ok_or_else(changed)?)
    }
}

/// The lines of files that are read without being looked through before.
#[derive(Debug, Default)]
pub struct Fresh {
    /// What the columns of the first piece hold, which those of all others must hold too.
    columns: IndexMap<String, Sort>,
    /// What the columns of this file hold.
    file: IndexMap<String, Sort>,
}

impl Fresh {
    /// The rows of the next piece of a file; nothing, where it has a column that the first piece has not, or other kinds of values in
    /// one: then all have to be looked through first.
    ///
    /// # Errors
    /// When a column cannot be made.
    pub fn read(&mut self, piece: &[u8]) -> Result<Option<Frame>, FrameError> {
        let piece = std::str::from_utf8(piece).ok();
        let Some(objects) = piece.and_then(objects) else {
            return Ok(None);
        };
        let mut found: IndexMap<String, Sort> = IndexMap::new();
        for (name, value) in objects.iter().flatten() {
            match found.get_mut(name) {
                Some(sort) => sort.add(value),
                None => found.entry(name.clone()).or_default().add(value),
            }
        }
        if self.columns.is_empty() {
            // Rows without a column are rows once there is one.
            let bare = found.is_empty() && !objects.is_empty();
            if bare || found.len() > MOST || found.values().any(|sort| sort.is_mixed()) {
                return Ok(None);
            }
            self.columns.clone_from(&found);
        }
        for (name, sort) in found {
            let Some(all) = self.columns.get(&name) else {
                return Ok(None);
            };
            let mut joined = sort;
            joined.join(*all);
            if joined != *all {
                return Ok(None);
            }
            self.file.entry(name).or_default().join(sort);
        }
        table(&self.columns, objects).map(Some)
    }

    /// Ends a file; false, where its columns hold other kinds of values than those of the first piece.
    pub fn end_file(&mut self) -> bool {
        let mut file = std::mem::take(&mut self.file).into_iter();
        file.all(|(name, sort)| sort.is_empty() || self.columns.get(&name) == Some(&sort))
    }
}

/// The objects of all lines, or nothing, where one is none.
fn objects(piece: &str) -> Option<Vec<IndexMap<String, Scalar>>> {
    let read = |line| {
        let cells = object(line)?.into_iter();
        Some(
            cells
                .map(|(name, cell)| (name, Scalar::from(cell)))
                .collect(),
        )
    };
    lines(piece).into_par_iter().map(read).collect()
}

/// A row for each object; what it lacks is absent.
fn table(
    named: &IndexMap<String, Sort>,
    objects: Vec<IndexMap<String, Scalar>>,
) -> Result<Frame, FrameError> {
    let mut columns: Vec<Vec<Scalar>> = vec![Vec::with_capacity(objects.len()); named.len()];
    for mut object in objects {
        for (name, column) in named.keys().zip(&mut columns) {
            column.push(object.swap_remove(name).unwrap_or(Scalar::Null));
        }
    }
    let named = named.iter().zip(columns);
    let named = named.map(|((name, sort), values)| (name.clone(), sort.column(values)));
    Frame::new(named.collect())
}

/// More columns than this are left to [`Frame::from_jsonl`], which counts their cells.
const MOST: usize = 64;

/// The lines that hold something.
fn lines(piece: &str) -> Vec<&str> {
    let breaks = memchr::memchr_iter(b'\n', piece.as_bytes());
    let mut start = 0;
    let lines = breaks.chain(std::iter::once(piece.len())).map(|end| {
        let line = &piece[start..end];
        start = end + 1;
        line
    });
    lines.filter(|line| !line.trim().is_empty()).collect()
}

fn object(line: &str) -> Option<IndexMap<String, Json>> {
    match json::read(line) {
        Ok(Json::Object(object)) => Some(object),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const FILE: &str = concat!(
        "{\"a\":1,\"b\":[1]}\n",
        "\n",
        "{\"c\":\"x\",\"a\":2.5}\n",
        "{\"a\":null,\"d\":true,\"b\":{}}\r\n",
        "{\"e\":12345678901234567890,\"a\":3}",
    );

    #[test]
    fn piece_by_piece_comes_to_the_same_as_at_once() {
        let pieces: Vec<&[u8]> = FILE
            .as_bytes()
            .split_inclusive(|byte| *byte == b'\n')
            .collect();
        let mut all = Lines::default();
        assert!(pieces.iter().all(|piece| all.look(piece)));
        let parts: Vec<Frame> = pieces
            .iter()
            .map(|piece| all.read(piece).unwrap())
            .collect();
        let joined = Frame::joined(&parts).unwrap();
        let whole = Frame::from_jsonl(FILE.as_bytes()).unwrap();
        assert!(joined.fits(&whole));
        assert_eq!(joined.to_jsonl().unwrap(), whole.to_jsonl().unwrap());
    }

    #[test]
    fn without_a_look_the_first_piece_says_what_columns_hold() {
        let file = "{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":null}\n{\"b\":\"y\"}\n";
        let mut fresh = Fresh::default();
        let mut read = |piece: &str| fresh.read(piece.as_bytes()).unwrap();
        let pieces = file.split_inclusive('\n');
        let parts: Option<Vec<Frame>> = pieces.map(&mut read).collect();
        let joined = Frame::joined(&parts.unwrap()).unwrap();
        let whole = Frame::from_jsonl(file.as_bytes()).unwrap();
        assert!(joined.fits(&whole));
        assert_eq!(joined.to_jsonl().unwrap(), whole.to_jsonl().unwrap());
        // A column more, and another kind of value.
        assert!(read("{\"c\":1}\n").is_none());
        assert!(read("{\"a\":1.5}\n").is_none());
        assert!(read("no object\n").is_none());
    }

    #[test]
    fn another_file_must_hold_the_kinds_of_the_first() {
        let mut fresh = Fresh::default();
        let mut read = |piece: &str| fresh.read(piece.as_bytes()).unwrap().is_some();
        assert!(read("{\"a\":1}\n{\"a\":2.5}\n"));
        assert!(fresh.end_file());
        // Whole numbers alone are another column in a file of its own.
        assert!(fresh.read(b"{\"a\":1}\n").unwrap().is_some());
        assert!(!fresh.end_file());
    }

    proptest! {
        /// Wherever a file is cut: what is read piece by piece is what is read at once, or is left to that.
        #[test]
        fn no_cut_changes_a_table(
            rows in prop::collection::vec(
                prop::collection::vec((0..4_usize, prop::sample::select(VALUES.to_vec())), 0..4),
                1..12,
            ),
            piece in 1..5_usize,
        ) {
            let line = |row: &Vec<(usize, &str)>| {
                let cells = row.iter().map(|(key, value)| format!("\"k{key}\":{value}"));
                format!("{{{}}}\n", cells.collect::<Vec<_>>().join(","))
            };
            let file: Vec<String> = rows.iter().map(line).collect();
            let pieces: Vec<String> = file.chunks(piece).map(<[String]>::concat).collect();
            let mut all = Lines::default();
            if pieces.iter().all(|piece| all.look(piece.as_bytes())) {
                let parts: Result<Vec<Frame>, _> = pieces.iter().map(|piece| all.read(piece.as_bytes())).collect();
                let whole = Frame::from_jsonl(file.concat().as_bytes()).unwrap();
                let joined = Frame::joined(&parts.unwrap()).unwrap();
                prop_assert!(joined.fits(&whole), "{:?} {:?}", joined.names(), whole.names());
                prop_assert_eq!(joined.to_jsonl().unwrap(), whole.to_jsonl().unwrap());
                // At once, if the first piece allows it.
                let mut fresh = Fresh::default();
                let parts: Option<Vec<Frame>> = pieces.iter().map(|piece| fresh.read(piece.as_bytes()).unwrap()).collect();
                if let Some(parts) = parts.filter(|_| fresh.end_file()) {
                    prop_assert_eq!(Frame::joined(&parts).unwrap().to_jsonl().unwrap(), whole.to_jsonl().unwrap());
                }
            }
        }
    }

    const VALUES: [&str; 14] = [
        "null",
        "true",
        "1",
        "-7",
        "9007199254740993",
        "12345678901234567890",
        "2.5",
        "1e3",
        "0.1e-400",
        "\"x\"",
        "\"1.10\"",
        "\"\"",
        "[1, 2.50]",
        "{\"a\":1}",
    ];

    #[test]
    fn what_needs_all_lines_is_told() {
        for file in [
            "{\"a\":[1]}\n{\"a\":1}\n",
            "{\"a\":1,\"a\":2}\n",
            "[1]\n",
            "{\"a\":\n",
        ] {
            let mut lines = Lines::default();
            assert!(!lines.look(file.as_bytes()), "{file}");
        }
        assert!(!Lines::default().look(b"{\"a\":\"\xff\"}\n"));
    }
}
