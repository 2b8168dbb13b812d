//! The model behind the tags: an averaged perceptron that goes through a sentence from left to right.
//!
//! Weights, features and the rule for ties are those of the crate `loqui-g2p` 0.4.0 (notice in
//! `data/NOTICE.md`), and so are its tags, to the letter: weights are added up in the same order. What depends on
//! one word alone is looked up once per word and not once per place, which takes a quarter of the time.

mod known;
mod memory;

use indexmap::IndexMap;

use self::known::{Beside, Ending, Known, Row};
pub(super) use self::memory::Memory;

/// The weights as the crate has them, compressed.
const PACKED: &[u8] = include_bytes!("../../data/tagger.zst");

/// What the file begins with.
const MAGIC: &[u8] = b"LQTAG001";

/// What stands before and after a sentence, as words and as tags.
const BEFORE: [&str; 2] = ["-START-", "-START2-"];
const AFTER: [&str; 2] = ["-END-", "-END2-"];

/// Words that are read ahead at a time.
const STRETCH: usize = 1 << 12;

/// The unpacked model.
#[derive(Debug)]
pub(super) struct Model {
    /// The names of the tags.
    tags: Vec<String>,
    /// Words that have one tag wherever they stand.
    certain: IndexMap<String, u8>,
    /// Tags, by number, and what they gain, of all rows.
    weights: Vec<(u8, f32)>,
    /// Features of words and of their endings that say something of tags.
    beside: IndexMap<String, Beside>,
    endings: IndexMap<String, Ending>,
    /// Features of a word's letters, by their names.
    rows: IndexMap<String, Row>,
    /// Features of a word with the tag before it, by the word.
    with_tag: IndexMap<String, Vec<(usize, Row)>>,
    /// Features of the tag before, of the one before that, and of both (as a square).
    before: Vec<Row>,
    second: Vec<Row>,
    both: Vec<Row>,
    /// What stands before and after a sentence.
    edges: [Known; 4],
}

impl Model {
    /// Unpacks the weights; none where they are damaged.
    pub(super) fn unpack() -> Option<Self> {
        Self::read(&zstd::decode_all(PACKED).ok()?)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut rest = Reader(bytes.strip_prefix(MAGIC)?);
        let tags = (0..rest.byte()?).map(|_| rest.short());
        let tags: Vec<String> = tags.collect::<Option<_>>()?;
        let mut certain = IndexMap::new();
        for _ in 0..rest.number()? {
            let word = rest.short()?;
            certain.insert(word, rest.byte()?);
        }
        let kinds = tags.len() + BEFORE.len();
        let mut model = Self {
            tags,
            certain,
            weights: Vec::new(),
            beside: IndexMap::new(),
            endings: IndexMap::new(),
            rows: IndexMap::new(),
            with_tag: IndexMap::new(),
            before: vec![Row::default(); kinds],
            second: vec![Row::default(); kinds],
            both: vec![Row::default(); kinds * kinds],
            edges: Default::default(),
        };
        for _ in 0..rest.number()? {
            let feature = rest.long()?;
            let from = model.weights.len() as u32;
            for _ in 0..rest.byte()? {
                let tag = rest
                    .byte()
                    .filter(|&tag| usize::from(tag) < model.tags.len())?;
                model.weights.push((tag, rest.weight()?));
            }
            let to = model.weights.len() as u32;
            model.put(feature, Row { from, to });
        }
        let known = |tag: &u8| usize::from(*tag) < model.tags.len();
        if !rest.0.is_empty() || !model.certain.values().all(known) {
            return None;
        }
        model.edges = [BEFORE[0], BEFORE[1], AFTER[0], AFTER[1]].map(|edge| model.context(edge));
        Some(model)
    }

    /// Puts a row where it is looked for. Features of tags that are never given are left out.
    fn put(&mut self, feature: String, row: Row) {
        let kinds = self.before.len();
        if let Some(rest) = feature.strip_prefix("i-1 tag+i word ") {
            if let Some((tag, word)) = rest.split_once(' ')
                && let Some(tag) = self.number(tag)
            {
                let all = self.with_tag.entry(word.to_owned()).or_default();
                all.push((tag, row));
            }
        } else if let Some(rest) = feature.strip_prefix("i tag+i-2 tag ") {
            if let Some((last, second)) = rest.split_once(' ')
                && let (Some(last), Some(second)) = (self.number(last), self.number(second))
            {
                self.both[last * kinds + second] = row;
            }
        } else if let Some(tag) = feature.strip_prefix("i-1 tag ") {
            if let Some(tag) = self.number(tag) {
                self.before[tag] = row;
            }
        } else if let Some(tag) = feature.strip_prefix("i-2 tag ") {
            if let Some(tag) = self.number(tag) {
                self.second[tag] = row;
            }
        } else {
            self.put_word(feature, row);
        }
    }

    /// The same for features of a word, of its ending and of its letters.
    fn put_word(&mut self, feature: String, row: Row) {
        if let Some((at, _)) = feature.match_indices(' ').nth(1) {
            let (kind, word) = (&feature[..at], || feature[at + 1..].to_owned());
            if let Some(place) = Beside::of_kind(kind) {
                *place(self.beside.entry(word()).or_default()) = row;
                return;
            }
            if let Some(place) = Ending::of_kind(kind) {
                *place(self.endings.entry(word()).or_default()) = row;
                return;
            }
        }
        self.rows.insert(feature, row);
    }

    /// The number of a tag, or of what stands in its place before a sentence.
    fn number(&self, tag: &str) -> Option<usize> {
        let edges = BEFORE.iter().copied();
        let mut all = self.tags.iter().map(String::as_str).chain(edges);
        all.position(|known| known == tag)
    }

    /// The Penn Treebank's names of the tags of a sentence's words.
    pub(super) fn tag<'m>(&'m self, words: &[&str], memory: &mut Memory) -> Vec<&'m str> {
        let tags = self.numbers(words, memory).into_iter();
        tags.map(|tag| self.tags[usize::from(tag)].as_str())
            .collect()
    }

    /// The numbers of the tags of a sentence's words.
    fn numbers(&self, words: &[&str], memory: &mut Memory) -> Vec<u8> {
        let mut found = Vec::with_capacity(words.len());
        let (mut last, mut second) = (self.tags.len(), self.tags.len() + 1);
        let mut scores = vec![0.0; self.tags.len()];
        // Of each word of a stretch, of two before and of two after: where it is remembered.
        let mut places = Vec::new();
        for start in (0..words.len()).step_by(STRETCH) {
            let end = (start + STRETCH).min(words.len());
            memory.make_room();
            places.clear();
            places.extend((start..end + 4).map(|at| {
                let word = at.checked_sub(2).and_then(|at| words.get(at));
                word.map(|word| memory.place(word, |word, letters| self.learn(word, letters)))
            }));
            let known = |at: usize| match places[at - start] {
                Some(place) => &memory.known[place],
                None if at < 2 => &self.edges[at],
                None => &self.edges[at - words.len()],
            };
            for at in start..end {
                let here = known(at + 2);
                let tag = here.certain.map_or_else(
                    || {
                        let place = places[at + 2 - start].unwrap_or_default();
                        scores.copy_from_slice(memory.letters(place));
                        for row in [
                            self.before[last],
                            self.second[second],
                            self.both[last * self.before.len() + second],
                            here.beside.here,
                            self.after(last, here),
                            known(at + 1).beside.to_next,
                            known(at + 1).ending.to_next,
                            known(at).beside.to_second_next,
                            known(at + 3).beside.to_last,
                            known(at + 3).ending.to_last,
                            known(at + 4).beside.to_second_last,
                        ] {
                            self.add(row, &mut scores);
                        }
                        best(&scores)
                    },
                    usize::from,
                );
                (last, second) = (tag, last);
                // There are no more than a byte counts.
                found.push(tag as u8);
            }
        }
        found
    }

    fn add(&self, row: Row, scores: &mut [f32]) {
        for &(tag, weight) in &self.weights[row.from as usize..row.to as usize] {
            scores[usize::from(tag)] += weight;
        }
    }

    /// What a word says of its own tag after another.
    fn after(&self, tag: usize, word: &Known) -> Row {
        let all = word.with_tag.map(|at| &self.with_tag[at]);
        let found = all.and_then(|all| all.iter().find(|(known, _)| *known == tag));
        found.map(|(_, row)| *row).unwrap_or_default()
    }

    fn row(&self, kind: &str, value: &str) -> Row {
        let name = [kind, value].concat();
        self.rows.get(&name).copied().unwrap_or_default()
    }

    /// What a word says, and for every tag what its letters say.
    fn learn(&self, word: &str, letters: &mut Vec<f32>) -> Known {
        let from = letters.len();
        letters.resize(from + self.tags.len(), 0.0);
        let certain = self.certain.get(word).copied();
        if certain.is_none() {
            self.letters(word, &mut letters[from..]);
        }
        Known {
            certain,
            ..self.context(&even(word))
        }
    }

    /// What a word that was made even says.
    fn context(&self, even: &str) -> Known {
        let ending = self.endings.get(last_letters(even, 3));
        Known {
            certain: None,
            beside: self.beside.get(even).copied().unwrap_or_default(),
            ending: ending.copied().unwrap_or_default(),
            with_tag: self.with_tag.get_index_of(even),
        }
    }

    /// What the letters of a word say about its own tag.
    fn letters(&self, word: &str, scores: &mut [f32]) {
        let first: String = word.chars().take(3).collect();
        for row in [
            self.row("bias", ""),
            self.row("i suffix ", last_letters(word, 3)),
            self.row("i suffix2 ", last_letters(word, 2)),
            self.row("i suffix1 ", last_letters(word, 1)),
            self.row("i pref1 ", first_letter(word)),
            self.row("i pref3 ", &first.to_lowercase()),
            self.row("i shape ", &shape(word)),
        ] {
            self.add(row, scores);
        }
    }
}

/// The tag with the highest score, of equal ones the last.
fn best(scores: &[f32]) -> usize {
    let mut best = 0;
    for (tag, score) in scores.iter().enumerate() {
        if score.total_cmp(&scores[best]).is_ge() {
            best = tag;
        }
    }
    best
}

/// A word as its neighbours see it: compounds, years and numbers are all alike, and case is gone.
fn even(word: &str) -> String {
    let digit = |letter: &u8| letter.is_ascii_digit();
    let bytes = word.as_bytes();
    if word.contains('-') && !word.starts_with('-') {
        "!HYPHEN".to_owned()
    } else if bytes.len() == 4 && bytes.iter().all(digit) {
        "!YEAR".to_owned()
    } else if bytes.first().is_some_and(digit) {
        "!DIGITS".to_owned()
    } else {
        word.to_lowercase()
    }
}

fn first_letter(word: &str) -> &str {
    let end = word.chars().next().map_or(0, char::len_utf8);
    &word[..end]
}

fn last_letters(word: &str, count: usize) -> &str {
    let start = word.char_indices().rev().take(count).last();
    &word[start.map_or(0, |(at, _)| at)..]
}

/// A word with `X` and `x` for letters and `d` for digits, each of them at most four times in a row.
fn shape(word: &str) -> String {
    let mut shape = String::new();
    let mut run = ('\0', 0);
    for letter in word.chars() {
        let sign = match letter {
            _ if letter.is_alphabetic() && letter.is_uppercase() => 'X',
            _ if letter.is_alphabetic() => 'x',
            '0'..='9' => 'd',
            other => other,
        };
        run = (sign, if run.0 == sign { run.1 + 1 } else { 1 });
        if run.1 <= 4 {
            shape.push(sign);
        }
    }
    shape
}

/// Numbers and names in the order in which the file has them.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn number(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn weight(&mut self) -> Option<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A name with its length in one byte.
    fn short(&mut self) -> Option<String> {
        let length = self.byte()?;
        self.name(usize::from(length))
    }

    /// A name with its length in two bytes.
    fn long(&mut self) -> Option<String> {
        let length = self.array().map(u16::from_le_bytes)?;
        self.name(usize::from(length))
    }

    fn name(&mut self, length: usize) -> Option<String> {
        let (name, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(name.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests;
