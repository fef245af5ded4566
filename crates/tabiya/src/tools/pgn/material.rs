//! Material as people write it: `KRPvKR`.

use std::str::FromStr;

use tabiya_rules::{Board, ByColor, ByRole, Color, Role};

/// The pieces of two sides, either of which may be White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Material {
    sides: [ByRole<u32>; 2],
    total: u32,
}

impl Material {
    /// Whether exactly these pieces are on a board.
    pub(crate) fn is_on(&self, board: &Board) -> bool {
        if board.occupied().count() != self.total {
            return false;
        }
        let found: ByColor<ByRole<u32>> = board.material();
        let (white, black) = (found[Color::White], found[Color::Black]);
        [white, black] == self.sides || [black, white] == self.sides
    }
}

impl FromStr for Material {
    type Err = String;

    fn from_str(text: &str) -> Result<Material, String> {
        let wrong = || {
            "material is the pieces of both sides, such as KRPvKR: K, Q, R, B, N and P, each king once"
                .to_owned()
        };
        let (one, other) = text.split_once(['v', 'V']).ok_or_else(wrong)?;
        let sides = [side(one).ok_or_else(wrong)?, side(other).ok_or_else(wrong)?];
        let total = sides
            .iter()
            .flat_map(|side| Role::ALL.map(|role| side[role]))
            .sum();
        Ok(Material { sides, total })
    }
}

/// The pieces of one side, of which just one is a king and which fit on a board.
fn side(text: &str) -> Option<ByRole<u32>> {
    let mut pieces = ByRole::default();
    for letter in text.chars() {
        let role = match letter.to_ascii_uppercase() {
            'K' => Role::King,
            'Q' => Role::Queen,
            'R' => Role::Rook,
            'B' => Role::Bishop,
            'N' => Role::Knight,
            'P' => Role::Pawn,
            _ => return None,
        };
        pieces[role] += 1;
    }
    (pieces[Role::King] == 1 && text.len() <= 32).then_some(pieces)
}
