//! The search in a list of games, as people type it: words that must all occur, whatever their case and order.

/// The words of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameSearch(Vec<Word>);

/// A word in lower case, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(String);

impl From<&str> for GameSearch {
    /// A `/` before the words is ignored, because it begins a search elsewhere.
    fn from(text: &str) -> GameSearch {
        let text = text.trim_start();
        let text = text.strip_prefix('/').unwrap_or(text);
        // As results are shown, and as PGN writes them.
        let text = text.replace('½', "1/2").to_lowercase();
        let words = text.split(|c: char| c.is_whitespace() || c == ',');
        let words = words.filter(|word| !word.is_empty());
        GameSearch(words.map(|word| Word(word.to_owned())).collect())
    }
}

impl GameSearch {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a game has all words, given whether it has one.
    pub fn fits(&self, has: impl Fn(&Word) -> bool) -> bool {
        self.0.iter().all(has)
    }

    /// Whether whatever fits this search also fits another one, of which it is known to be the continuation.
    pub fn narrows(&self, other: &GameSearch) -> bool {
        let begins = |(word, other): (&Word, &Word)| word.0.starts_with(&other.0);
        self.0.len() >= other.0.len() && self.0.iter().zip(&other.0).all(begins)
    }
}

impl Word {
    /// Whether a text contains the word.
    pub fn is_in(&self, text: &str) -> bool {
        if !text.is_ascii() {
            return text.to_lowercase().contains(&self.0);
        }
        let (text, word) = (text.as_bytes(), self.0.as_bytes());
        let windows = text.windows(word.len());
        // Most windows differ in their first byte, and millions of games have to be searched while somebody types.
        let mut likely = windows.filter(|window| window[0].to_ascii_lowercase() == word[0]);
        likely.any(|window| window.eq_ignore_ascii_case(word))
    }
}

#[cfg(test)]
mod tests {
    use super::GameSearch;

    #[test]
    fn all_words_must_occur_in_some_text() {
        let texts = [
            "Carlsen, Magnus",
            "Müller, K",
            "Tata Steel",
            "2021.01.17",
            "1/2-1/2",
        ];
        let fits = |query: &str| {
            GameSearch::from(query).fits(|word| texts.iter().any(|text| word.is_in(text)))
        };
        for query in [
            "",
            " / ",
            "carlsen",
            "/carlsen",
            "MAGNUS carlsen",
            "Carlsen, Magnus",
            "müller MÜLLER",
            "carlsen 2021 tata",
            "½-½ steel",
            "1/2-1/2",
            "/1/2-1/2",
            "arls",
        ] {
            assert!(fits(query), "{query}");
        }
        for query in [
            "giri",
            "carlsen giri",
            "1-0",
            "carlsenm",
            "muller",
            "2022 carlsen",
        ] {
            assert!(!fits(query), "{query}");
        }
        assert!(GameSearch::from(" / ,").is_empty());
    }

    #[test]
    fn a_longer_search_narrows_a_shorter_one() {
        let narrows =
            |more: &str, less: &str| GameSearch::from(more).narrows(&GameSearch::from(less));
        assert!(narrows("carl", "car") && narrows("carl g", "carl") && narrows("a", ""));
        assert!(!narrows("car", "carl") && !narrows("giri", "carl") && !narrows("", "a"));
    }
}
