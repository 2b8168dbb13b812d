use super::memory::MOST_KNOWN;
use super::*;

fn model() -> Model {
    Model::unpack().expect("the weights are whole")
}

#[test]
fn the_tags_are_those_of_the_crate_that_the_weights_are_from() {
    let words: Vec<&str> = "“I ca n’t say , ” said the old well-known Captain in 1837 ."
        .split(' ')
        .collect();
    let model = model();
    let tags = model.tag(&words, &mut Memory::default());
    assert_eq!(tags.join(" "), "NN MD RB VB , '' VBD DT JJ JJ NNP IN CD .");
}

/// The digest is of what `loqui_g2p::tagger::Tagger::tag` of 0.4.0 gives for the same 26,192 words.
#[test]
fn six_stories_have_the_tags_of_that_crate_to_the_letter() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/stories");
    let entries = fs_err::read_dir(folder).expect("the stories are there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "txt"))
        .collect();
    paths.sort();
    let (model, mut memory) = (model(), Memory::default());
    let mut all = String::new();
    for path in paths {
        let text = fs_err::read_to_string(path).expect("a story can be read");
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            all.push_str(&model.tag(&words, &mut memory).join(" "));
            all.push('\n');
        }
    }
    assert_eq!(
        blake3::hash(all.as_bytes()).to_string(),
        "3e22060707f6afb40286658a93615c51ba00aed8f0ce225828278c3014bcc171"
    );
}

#[test]
fn a_word_is_looked_up_once_per_text() {
    let text = "the lamp burned all night ".repeat(2_000);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut memory = Memory::default();
    model().tag(&words, &mut memory);
    assert_eq!(memory.known.len(), 5);
}

#[test]
fn a_sentence_of_ever_new_words_is_not_remembered_whole() {
    let text: Vec<String> = (0..50_000).map(|number| format!("w{number}x")).collect();
    let words: Vec<&str> = text.iter().map(String::as_str).collect();
    let mut memory = Memory::default();
    assert_eq!(model().tag(&words, &mut memory).len(), words.len());
    assert!(memory.known.len() <= MOST_KNOWN + STRETCH + 4);
    assert_eq!(memory.places.len(), memory.known.len());
}

#[test]
fn what_was_forgotten_in_the_middle_of_a_sentence_changes_no_tag() {
    let plain = "She was singing and he had gone to the old lamps , which burned . ";
    let count = 3 * STRETCH / plain.split_whitespace().count();
    let text = plain.repeat(count);
    let words: Vec<&str> = text.split_whitespace().collect();
    let model = model();
    let tags = model.tag(&words, &mut Memory::default());
    let period = words.len() / count;
    // After the first sentence the words around every place are alike, at the edges of stretches too.
    let (first, last) = (&tags[period..2 * period], tags.len() - period);
    for start in (period..last).step_by(period) {
        assert_eq!(&tags[start..start + period], first, "{start}");
    }
}

#[test]
fn damaged_weights_are_noticed() {
    let bytes = zstd::decode_all(PACKED).expect("they can be unpacked");
    assert!(Model::read(&bytes).is_some());
    assert!(Model::read(&bytes[..bytes.len() - 1]).is_none());
    assert!(Model::read(&[&bytes[..], b"x"].concat()).is_none());
    assert!(Model::read(&bytes[1..]).is_none());
    assert!(Model::read(b"").is_none());
}
