//! Messages about the server of a game.

use std::time::Duration;

use tabiya_play::remote::ServerNews;
use tabiya_rules::ByColor;

/// The lines of a message; `called` has the names of the sides, and `claim` says how to claim the game.
pub fn lines(news: &ServerNews, called: &ByColor<String>, claim: &str) -> Vec<String> {
    let one = |sentence: String| vec![sentence];
    match news {
        ServerNews::Refused(lines) | ServerNews::Notice(lines) => lines.clone(),
        ServerNews::NotBegun => one("The game begins when everybody has joined.".to_owned()),
        ServerNews::Away { side, claim_in } => {
            let side = &called[*side];
            one(match claim_in {
                None => format!("{side} is not connected."),
                Some(Duration::ZERO) => {
                    format!("{side} has been away for too long: {claim} wins the game.")
                }
                Some(time) => {
                    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
                    format!("{side} is not connected. You may claim the game in {seconds} seconds.")
                }
            })
        }
        ServerNews::Returned(side) => one(format!("{} is connected.", called[*side])),
        ServerNews::RematchWanted(side) => one(format!(
            "{} wants a rematch. It begins when both do.",
            called[*side]
        )),
        ServerNews::Lost => one("The connection to the server is lost. Trying again.".to_owned()),
        ServerNews::Back => one("The connection is back.".to_owned()),
        ServerNews::ShutOut(lines) => {
            let mut said = lines.clone();
            said.push("The game cannot be continued here.".to_owned());
            said
        }
    }
}

/// Whether it is a refusal.
pub fn is_refusal(news: &ServerNews) -> bool {
    match news {
        ServerNews::Refused(_) | ServerNews::Lost | ServerNews::ShutOut(_) => true,
        ServerNews::Notice(_)
        | ServerNews::NotBegun
        | ServerNews::Away { .. }
        | ServerNews::Returned(_)
        | ServerNews::RematchWanted(_)
        | ServerNews::Back => false,
    }
}
