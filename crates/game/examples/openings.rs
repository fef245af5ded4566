//! Counts how the games of a PGN file begin: `openings FILE [PLIES]`.

use std::collections::BTreeMap;
use std::error::Error;

use tabiya_game::pgn;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected a PGN file")?;
    let plies = arguments.next().map_or(Ok(4), |text| text.parse())?;
    let bytes = std::fs::read(file)?;
    let mut openings: BTreeMap<String, u32> = BTreeMap::new();
    for game in pgn::games(&bytes) {
        let line = game.record.main_line().take(plies);
        let sans: Vec<String> = line
            .filter_map(|node| Some(node.san()?.to_string()))
            .collect();
        *openings.entry(sans.join(" ")).or_default() += 1;
    }
    let mut openings: Vec<_> = openings.into_iter().collect();
    openings.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (opening, count) in openings.iter().take(20) {
        println!("{count:>6}  {opening}");
    }
    Ok(())
}
