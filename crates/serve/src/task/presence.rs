//! Who is there: a game begins when all players have joined, and one who stays away may lose it.

use std::time::{Duration, Instant};

use tabiya_rules::Color;

use super::{GameTask, Way};
use crate::protocol::{Connections, ServerMessage};
use crate::role::Role;
use crate::sides::Sides;

/// If there are more watchers than this, a change of their number is not sent.
const MAX_REPORTED_WATCHERS: usize = 50;

impl GameTask {
    /// Notes who has joined. When all players have, the game begins.
    pub(super) async fn note_arrival(&mut self, role: Role) {
        self.note_presence(role);
        for color in Color::ALL {
            self.has_joined[color] |= role.plays(color);
        }
        let all_here = Color::ALL
            .into_iter()
            .all(|color| self.has_joined[color] || !self.room.is_person(color));
        if all_here && !self.room.has_begun() {
            let now = self.advance_clock(Duration::ZERO);
            let effects = self.room.begin(now);
            self.apply(effects, None).await;
        }
    }

    pub(super) fn note_presence(&mut self, role: Role) {
        if role == Role::Watch {
            return;
        }
        let now = Instant::now();
        for color in Color::ALL.into_iter().filter(|&color| role.plays(color)) {
            self.heard_at[color] = now;
            // A client over HTTP is not connected, but it is not away either.
            self.away_since[color] = self.away_since[color].map(|_| now);
            if self.is_here(color) {
                self.away_since[color] = None;
            }
        }
        self.send_presence();
    }

    /// Whether the player of a side is connected, and known to be there.
    fn is_here(&self, color: Color) -> bool {
        let mut clients = self.clients.values();
        clients.any(|client| {
            let is_heard = match client.way {
                Way::Socket => true,
                Way::Stream => self.heard_at[color].elapsed() < self.shared.config.limits.away,
            };
            is_heard && client.role.plays(color)
        })
    }

    /// The time until a player who is connected by a stream alone counts as away, if nothing is heard by then.
    pub(super) fn stream_expires_in(&self, color: Color) -> Option<Duration> {
        let by_stream_alone = self.away_since[color].is_none()
            && !self
                .clients
                .values()
                .any(|client| client.way == Way::Socket && client.role.plays(color));
        let away = self.shared.config.limits.away;
        by_stream_alone.then(|| away.saturating_sub(self.heard_at[color].elapsed()))
    }

    /// Notes which players are no longer here, and since when.
    pub(super) fn note_absence(&mut self) {
        for color in Color::ALL {
            if self.away_since[color].is_none() && !self.is_here(color) {
                self.away_since[color] = Some(Instant::now());
            }
        }
    }

    /// The time until the opponent of a player may claim the game, if the player is away.
    pub(super) fn claim_in(&self, player: Color) -> Option<Duration> {
        let away = self.away_since[player]?.elapsed();
        let limit = self.shared.config.limits.away;
        self.room.claim_in(player, away, limit)
    }

    /// Who is connected, and when the game of an absent player can be claimed.
    pub(super) fn presence(&self) -> Connections {
        Connections {
            here: Sides::from_fn(|color| !self.room.is_person(color) || self.is_here(color)),
            watchers: self
                .clients
                .values()
                .filter(|client| client.role == Role::Watch)
                .count(),
            claim_in_ms: Sides::from_fn(|color| {
                let left = self.claim_in(color)?;
                u64::try_from(left.as_millis()).ok()
            }),
        }
    }

    /// Tells all clients who is connected, if that has changed.
    pub(super) fn send_presence(&mut self) {
        let presence = self.presence();
        let sent = &self.sent_presence;
        // The time itself is always another one.
        let claims = |of: &Connections| {
            let Sides { white, black } = of.claim_in_ms;
            [white, black].map(|left| left.map(|left| left == 0))
        };
        let same = presence.here == sent.here
            && claims(&presence) == claims(sent)
            && (presence.watchers == sent.watchers || presence.watchers > MAX_REPORTED_WATCHERS);
        if !same {
            self.sent_presence = presence.clone();
            self.broadcast(&ServerMessage::Presence(presence));
        }
    }
}
