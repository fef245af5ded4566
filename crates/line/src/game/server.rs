//! A game on a server, in the line mode.

use tabiya_front::commands::{self, Command};
use tabiya_front::wording::{Reply, server};
use tabiya_game::Timestamp;
use tabiya_play::desk::DeskRequest;
use tabiya_play::remote::{Joined, ServerEvent, ServerNews};
use tabiya_play::request::{GameRequest, Request};
use tabiya_rules::{ByColor, Color};

use super::{LineEffect, LineGame};

impl LineGame {
    /// Joins a game.
    pub(crate) fn join(&mut self, joined: Joined, now: Timestamp) -> Vec<LineEffect> {
        self.handle(DeskRequest::Join(Box::new(joined)), now)
    }

    /// Handles an event of the server.
    pub(crate) fn handle_server_event(
        &mut self,
        event: ServerEvent,
        now: Timestamp,
    ) -> Vec<LineEffect> {
        let outcomes = self.desk.handle_server_event(event, now);
        self.show_outcomes(outcomes, now)
    }

    /// Whether there is no prompt now, because a remote player has to move or the server has to answer.
    pub(super) fn awaits_others(&self) -> bool {
        let table = self.table();
        let open = table.session().outcome().is_none();
        let theirs = !table.opponents().is_human(table.session().turn());
        let waits = theirs || table.awaits_server() || table.awaits_players();
        table.is_remote() && open && waits && !table.is_shut_out()
    }

    /// Whether other people have to move or to join, which may take forever.
    pub(crate) fn awaits_people(&self) -> bool {
        self.awaits_others() && !self.table().awaits_server()
    }

    /// Whether a line of a pipe is handled at once in a game on a server, even if it is another player's turn. A watcher
    /// has no turn to wait for.
    pub(crate) fn is_urgent_on_server(&self, line: &str) -> bool {
        if self.table().is_watched() {
            return true;
        }
        let Ok(Command::Table(Request::Game(request))) = commands::read(line) else {
            return false;
        };
        let is_answer = matches!(request, GameRequest::Accept(_) | GameRequest::Decline(_));
        let session = self.table().session();
        let asked = session.draw_offer().is_some() || session.takeback().is_some();
        let claims = request == GameRequest::CLAIM && self.table().may_claim_game().is_some();
        self.table().is_remote() && (is_answer && asked || claims)
    }

    pub(super) fn say_news(&self, news: &ServerNews) -> LineEffect {
        let session = self.table().session();
        let tags = session.record().tags();
        let called = ByColor::from_fn(|color: Color| {
            let color = color.name();
            tags.get(color).unwrap_or(color).to_owned()
        });
        let lines = server::lines(news, &called, "claim");
        LineEffect::Say(match server::is_refusal(news) {
            true => Reply::Refused {
                code: "server",
                lines,
            },
            false => Reply::news("server", lines),
        })
    }
}
