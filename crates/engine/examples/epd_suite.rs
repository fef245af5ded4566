//! Solves an EPD suite from standard input, or three mates of its own: `epd_suite [NODES] < suite.epd`

use std::error::Error;
use std::io::{IsTerminal, Read, stdin};

use tabiya_engine::{AlphaBeta, Control, Settings, think};
use tabiya_rules::{Epd, MoveHistory};
use tabiya_uci::Go;

const MATES: &str = "\
6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id \"back rank\";
6rk/6pp/8/6N1/8/8/8/6K1 w - - bm Nf7#; id \"smothered\";
r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - bm Ra1#; am g6; id \"the same for Black\";
";

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args()
        .nth(1)
        .map_or(Ok(20_000_u64), |text| text.parse())?;
    let mut suite = String::new();
    if !stdin().is_terminal() {
        stdin().read_to_string(&mut suite)?;
    }
    if suite.trim().is_empty() {
        suite = MATES.to_owned();
    }
    let mut searcher = AlphaBeta::default();
    let (mut solved, mut all) = (0, 0);
    for line in suite.lines().filter(|line| !line.trim().is_empty()) {
        let epd: Epd = line.parse()?;
        let position = epd.position()?;
        let go = Go::new().with_nodes(nodes);
        let history = MoveHistory::new(position);
        let (settings, control) = (Settings::default(), Control::new());
        let answer = think(
            &mut searcher,
            &settings,
            &history,
            &go,
            &control,
            &mut |_| {},
        );
        let Some(best) = answer.best else { continue };
        let (wanted, avoided) = (epd.moves("bm")?, epd.moves("am")?);
        let is_solved = (wanted.is_empty() || wanted.contains(&best)) && !avoided.contains(&best);
        all += 1;
        solved += u32::from(is_solved);
        let name = epd.operand("id").unwrap_or("unnamed");
        let word = if is_solved { "solved" } else { "failed" };
        println!("{word}  {name}: {}", position.san(best));
    }
    println!("{solved} of {all}");
    Ok(())
}
