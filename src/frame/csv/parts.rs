//! Csv too long to be in memory, read piece by piece: at once where the first records tell what the columns hold, or after all
//! were looked through.

use super::cells::{Kind, Sort};
use super::header;
use super::quotes::Quotes;
use crate::frame::{Frame, FrameError};

/// Files of csv with one header, of which whole records are read.
///
/// What is wrong or unusual ends it with an error that says little: then the files are to be read as [`Frame::from_csv`]
/// reads them, which knows what to say.
#[derive(Debug, Default)]
pub struct Records {
    as_text: Vec<String>,
    names: Vec<String>,
    /// What the columns of all files hold so far, and of this file.
    sorts: Vec<Sort>,
    own: Vec<Sort>,
    /// What columns are read as: what those of the first records hold, or of all records if these were looked through.
    kinds: Vec<Kind>,
    looked: bool,
    /// What columns hold in files that were looked through.
    files: Vec<Vec<Sort>>,
    /// The beginning of a record.
    kept: Vec<u8>,
    quotes: Quotes,
    begun: bool,
}

impl Records {
    /// Records whose columns with these names stay text whatever they hold.
    pub fn new(as_text: &[&str]) -> Self {
        Self {
            as_text: as_text.iter().map(|name| (*name).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Looks through the next piece of a file.
    ///
    /// # Errors
    /// See [`Records`].
    pub fn look(&mut self, piece: &[u8]) -> Result<(), FrameError> {
        let whole = self.next(piece)?;
        self.each(whole, |_, _| ())?;
        Ok(())
    }

    /// Ends a file that is looked through.
    ///
    /// # Errors
    /// See [`Records`].
    pub fn look_at_end(&mut self) -> Result<(), FrameError> {
        let whole = self.last()?;
        self.each(whole, |_, _| ())?;
        let own = self.end_file()?;
        self.files.push(own);
        Ok(())
    }

    /// The same files from their beginnings, now that all records were looked through.
    ///
    /// # Errors
    /// See [`Records`].
    pub fn again(self) -> Result<Self, FrameError> {
        let again = Self {
            kinds: self.kinds_of(&self.sorts),
            looked: true,
            as_text: self.as_text,
            names: self.names,
            ..Self::default()
        };
        self.files.iter().try_for_each(|file| again.check(file))?;
        Ok(again)
    }

    /// The rows that a piece ends, if it ends any.
    ///
    /// # Errors
    /// See [`Records`].
    pub fn read(&mut self, piece: &[u8]) -> Result<Option<Frame>, FrameError> {
        let whole = self.next(piece)?;
        self.table(whole)
    }

    /// Ends a file, with its last row if no line break ends it.
    ///
    /// # Errors
    /// See [`Records`].
    pub fn end(&mut self) -> Result<Option<Frame>, FrameError> {
        let whole = self.last()?;
        let table = self.table(whole)?;
        let own = self.end_file()?;
        self.check(&own)?;
        Ok(table)
    }

    /// The columns of numbers that are not whole: two of them may be written apart and be the same.
    pub fn decimals(&self) -> impl Iterator<Item = &str> {
        let named = self.names.iter().zip(&self.kinds);
        let decimals = named.filter(|(_, kind)| **kind == Kind::Number);
        decimals.map(|(name, _)| name.as_str())
    }

    /// Adds a piece. The records that are whole now.
    fn next(&mut self, piece: &[u8]) -> Result<Vec<u8>, FrameError> {
        let piece = if self.begun {
            piece
        } else {
            piece.strip_prefix("\u{feff}".as_bytes()).unwrap_or(piece)
        };
        self.begun = true;
        self.kept.extend_from_slice(piece);
        let whole = self.quotes.records(&self.kept).ok_or_else(odd)?;
        let rest = self.kept.split_off(whole);
        self.quotes.forget(whole);
        Ok(std::mem::replace(&mut self.kept, rest))
    }

    /// What is left at the end of a file.
    fn last(&mut self) -> Result<Vec<u8>, FrameError> {
        if self.quotes.is_open() {
            return Err(odd());
        }
        self.quotes = Quotes::default();
        self.begun = false;
        Ok(std::mem::take(&mut self.kept))
    }

    /// Ends a file of which all records were read, its header at least. What its columns hold.
    fn end_file(&mut self) -> Result<Vec<Sort>, FrameError> {
        if self.own.is_empty() {
            return Err(odd());
        }
        Ok(std::mem::take(&mut self.own))
    }

    /// Hands on the cells of whole records with the numbers of their columns. How many rows they are.
    fn each(
        &mut self,
        whole: Vec<u8>,
        mut add: impl FnMut(usize, &str),
    ) -> Result<usize, FrameError> {
        let text = String::from_utf8(whole).map_err(|_| odd())?;
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .has_headers(false)
            .from_reader(text.as_bytes());
        let (mut record, mut rows) = (csv::StringRecord::new(), 0);
        while reader.read_record(&mut record).map_err(|_| odd())? {
            if self.own.is_empty() {
                self.begin_file(&record)?;
                continue;
            }
            header::check_length(&record, self.names.len())?;
            for (at, cell) in record.iter().enumerate() {
                self.own[at].add(cell);
                add(at, cell);
            }
            rows += 1;
        }
        for (all, own) in self.sorts.iter_mut().zip(&self.own) {
            all.join(*own);
        }
        Ok(rows)
    }

    /// The first record of a file says what all others have.
    fn begin_file(&mut self, record: &csv::StringRecord) -> Result<(), FrameError> {
        let names = header::read(record)?;
        if self.names.is_empty() {
            self.names = names;
        } else if self.names != names {
            return Err(odd());
        }
        self.own = vec![Sort::default(); self.names.len()];
        self.sorts.resize(self.names.len(), Sort::default());
        Ok(())
    }

    fn table(&mut self, whole: Vec<u8>) -> Result<Option<Frame>, FrameError> {
        let mut columns: Vec<Vec<Option<String>>> = vec![Vec::new(); self.names.len()];
        let rows = self.each(whole, |at, cell| {
            // The first piece has the header, by which it is known how many columns there are.
            if at >= columns.len() {
                columns.resize_with(at + 1, Vec::new);
            }
            columns[at].push((!cell.is_empty()).then(|| cell.to_owned()));
        })?;
        if rows == 0 {
            return Ok(None);
        }
        if !self.looked {
            let kinds = self.kinds_of(&self.sorts);
            if self.kinds.is_empty() {
                self.kinds = kinds;
            } else if self.kinds != kinds {
                return Err(odd());
            }
        }
        let named = self.names.iter().cloned().zip(&self.kinds).zip(columns);
        let named = named.map(|((name, kind), cells)| (name, kind.column(cells)));
        Frame::new(named.collect()).map(Some)
    }

    /// What columns that hold this are read as.
    fn kinds_of(&self, sorts: &[Sort]) -> Vec<Kind> {
        let named = self.names.iter().zip(sorts);
        named
            .map(|(name, sort)| sort.kind(self.as_text.contains(name)))
            .collect()
    }

    /// Each file is read for itself where all are read together: what its columns hold must be the same.
    fn check(&self, file: &[Sort]) -> Result<(), FrameError> {
        let own = self.kinds_of(file);
        let mut all = own.iter().zip(&self.kinds).zip(file);
        if all.all(|((own, kind), sort)| own == kind || sort.is_empty()) {
            Ok(())
        } else {
            Err(odd())
        }
    }
}

fn odd() -> FrameError {
    FrameError::Damaged("its records have to be read together".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The files in pieces of whole lines, as they are read.
    fn parts(mut records: Records, files: &[&str]) -> Result<Vec<Frame>, FrameError> {
        let mut parts = Vec::new();
        for file in files {
            for line in file.split_inclusive('\n') {
                parts.extend(records.read(line.as_bytes())?);
            }
            parts.extend(records.end()?);
        }
        Ok(parts)
    }

    /// The same, after a look.
    fn looked(mut records: Records, files: &[&str]) -> Result<Vec<Frame>, FrameError> {
        for file in files {
            for line in file.split_inclusive('\n') {
                records.look(line.as_bytes())?;
            }
            records.look_at_end()?;
        }
        parts(records.again()?, files)
    }

    fn same(parts: &[Frame], files: &[&str], as_text: &[&str]) {
        let joined = Frame::joined(parts).unwrap();
        let read = |file: &&str| Frame::from_csv(file.as_bytes(), as_text).unwrap();
        let whole = Frame::stack(&files.iter().map(read).collect::<Vec<_>>()).unwrap();
        assert!(joined.fits(&whole), "{joined:?} {whole:?}");
        assert_eq!(joined.to_jsonl().unwrap(), whole.to_jsonl().unwrap());
    }

    #[test]
    fn piece_by_piece_comes_to_the_same_as_at_once() {
        let file = "\u{feff}id,text,n,x,b,late\r\n\
            1,\"two\n\nlines, \"\"quoted\"\"\n\",3,1.50,true,\r\n\
            \n\
            2,\u{feff}é,-4,2,false,\n\
            007,,,,,5";
        let known = || Records::new(&["id"]);
        assert!(
            parts(known(), &[file]).is_err(),
            "`late` has no number at first"
        );
        same(&looked(known(), &[file]).unwrap(), &[file], &["id"]);
        let early = file.replace("true,", "true,4");
        same(&parts(known(), &[&early]).unwrap(), &[&early], &["id"]);
        // Other files have the same header, and the same in its columns.
        let more = "id,text,n,x,b,late\n8,x,1,0.5,,7\n";
        same(
            &parts(known(), &[&early, more]).unwrap(),
            &[&early, more],
            &["id"],
        );
        for other in ["id,text\n1,x\n", "id,text,n,x,b,late\n8,x,1.5,0.5,,7\n"] {
            assert!(looked(known(), &[&early, other]).is_err(), "{other}");
        }
    }

    #[test]
    fn what_is_wrong_is_left_to_the_reading_of_the_whole() {
        for file in [
            "a,a\n1,2\n",
            "a,b\n1\n",
            "a,b\n1,\"2\n",
            "a,b\n1,2\"\n",
            "a;b\n1;2\n",
        ] {
            assert!(looked(Records::default(), &[file]).is_err(), "{file}");
            assert!(Frame::from_csv(file.as_bytes(), &[]).is_err(), "{file}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn any_file_that_is_read_piece_by_piece_is_what_it_is_at_once(
            text in "(id,n\r?\n)?([a1-],|[\"\r\n,é]|\"[a1\n,]{0,3}\"|1\\.5|2e-1|true|\n){0,24}",
            two in "(id,n\n)([a1],[0-9]\n){0,3}",
            as_text in any::<bool>(),
        ) {
            let as_text: &[&str] = if as_text { &["n"] } else { &[] };
            for files in [&[&*text][..], &[&*text, &*two]] {
                let read = [parts(Records::new(as_text), files), looked(Records::new(as_text), files)];
                for parts in read.into_iter().flatten().filter(|parts| !parts.is_empty()) {
                    same(&parts, files, as_text);
                }
            }
        }
    }
}
