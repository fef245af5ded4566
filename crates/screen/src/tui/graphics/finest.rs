//! How finely a terminal draws: which of the characters with parts of a cell it shows.
//!
//! A glyph that is missing cannot be noticed, so only terminals that are known to draw these characters themselves get them.

use tabiya_front::appearance::PieceStyle;

/// The first three numbers of a version.
type Version = [u32; 3];

/// A terminal that draws parts of cells itself: what its name begins with, and the versions from which it knows sextants and
/// octants; `None` if no version is known to.
const KNOWN: [(&str, Version, Option<Version>); 5] = [
    ("kitty", [0, 26, 5], Some([0, 40, 0])),
    ("vte", [6200, 0, 0], Some([7800, 0, 0])),
    ("foot", [1, 8, 0], Some([1, 20, 0])),
    ("ghostty", [1, 0, 0], Some([1, 2, 0])),
    ("wezterm", [20_210_814, 0, 0], None),
];

/// How finely a terminal draws that has reported this name and version, or that the environment names; `variable` looks up a
/// variable. One that is not known draws in blocks, which every font has.
pub(crate) fn finest(
    reported: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> PieceStyle {
    let by_environment = || {
        if let Some(version) = variable("VTE_VERSION") {
            return Some(format!("vte {version}"));
        }
        let (name, version) = (variable("TERM_PROGRAM")?, variable("TERM_PROGRAM_VERSION")?);
        Some(format!("{name} {version}"))
    };
    // Inside another program, what is known is about that program, and not about the terminal that draws.
    let is_inside = ["TMUX", "STY"]
        .into_iter()
        .any(|name| variable(name).is_some());
    if is_inside {
        return PieceStyle::Blocks;
    }
    let terminal = reported.map(str::to_owned).or_else(by_environment);
    let terminal = terminal.unwrap_or_default().to_ascii_lowercase();
    let Some((name, sextants, octants)) = KNOWN
        .into_iter()
        .find(|(name, ..)| terminal.starts_with(name))
    else {
        return PieceStyle::Blocks;
    };
    let version = version(&terminal[name.len()..]);
    if octants.is_some_and(|least| version >= least) {
        PieceStyle::Octants
    } else if version >= sextants {
        PieceStyle::Sextants
    } else {
        PieceStyle::Blocks
    }
}

/// A symbol by which a terminal shows whether it takes these characters for one column wide; `None` for those that all have.
pub(crate) fn sample(style: PieceStyle) -> Option<char> {
    match style {
        PieceStyle::Octants => Some('\u{1cd00}'),
        PieceStyle::Sextants => Some('\u{1fb00}'),
        PieceStyle::Auto | PieceStyle::Blocks | PieceStyle::Figures | PieceStyle::Letters => None,
    }
}

/// The next style that is less fine.
pub(crate) fn coarser(style: PieceStyle) -> PieceStyle {
    match style {
        PieceStyle::Octants => PieceStyle::Sextants,
        PieceStyle::Auto
        | PieceStyle::Sextants
        | PieceStyle::Blocks
        | PieceStyle::Figures
        | PieceStyle::Letters => PieceStyle::Blocks,
    }
}

/// The version in a text, such as `(0.26.5)` or ` 20240203-110809`.
fn version(text: &str) -> Version {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    std::array::from_fn(|_| {
        numbers
            .next()
            .and_then(|number| number.parse().ok())
            .unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_report() {
        let style = |reported| finest(Some(reported), |_| None);
        for (reported, expected) in [
            ("kitty(0.26.5)", PieceStyle::Sextants),
            ("kitty(0.26.4)", PieceStyle::Blocks),
            ("kitty(0.40.1)", PieceStyle::Octants),
            ("VTE(6800)", PieceStyle::Sextants),
            ("VTE(7802)", PieceStyle::Octants),
            ("foot(1.16.2)", PieceStyle::Sextants),
            ("foot(1.20.0)", PieceStyle::Octants),
            ("ghostty 1.1.3", PieceStyle::Sextants),
            ("WezTerm 20240203-110809-5046fc22", PieceStyle::Sextants),
            ("XTerm(379)", PieceStyle::Blocks),
            ("iTerm2 3.5.0", PieceStyle::Blocks),
            ("kitty", PieceStyle::Blocks),
            ("kitty(99999999999999999999)", PieceStyle::Blocks),
            ("", PieceStyle::Blocks),
        ] {
            assert_eq!(style(reported), expected, "{reported}");
        }
    }

    #[test]
    fn the_environment_counts_where_nothing_is_reported() {
        let style = |set: &[(&str, &str)]| {
            finest(None, |name| {
                let found = set.iter().find(|(known, _)| *known == name)?;
                Some(found.1.to_owned())
            })
        };
        assert_eq!(style(&[("VTE_VERSION", "6800")]), PieceStyle::Sextants);
        let ghostty = [
            ("TERM_PROGRAM", "ghostty"),
            ("TERM_PROGRAM_VERSION", "1.2.0"),
        ];
        assert_eq!(style(&ghostty), PieceStyle::Octants);
        assert_eq!(
            style(&[("TERM_PROGRAM", "Apple_Terminal")]),
            PieceStyle::Blocks
        );
        assert_eq!(style(&[]), PieceStyle::Blocks);
        // The variables of the terminal that draws reach programs inside tmux too, but so do those of another one.
        let inside = [("VTE_VERSION", "7800"), ("TMUX", "/tmp/tmux-0/default,1,0")];
        assert_eq!(style(&inside), PieceStyle::Blocks);
    }
}
