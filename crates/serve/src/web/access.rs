//! Access: the host names that the server answers to, the sites that a browser may send requests from, and the
//! secrets that requests show.

use std::future::pending;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::sleep;

use super::{Refused, Web};
use crate::addresses;
use crate::rates::{Asker, TooMany};
use crate::role::Role;
use crate::token::{Secret, Token};

/// The address that a request comes from. The server adds it to every request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// How often a connection that the host has opened looks whether the session goes on.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// What the subprotocol with a secret begins with.
const BEARER: &str = "tabiya.bearer.";

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer.
fn headers() -> [(HeaderName, HeaderValue); 7] {
    [
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (
            header::REFERRER_POLICY,
            HeaderValue::from_static("no-referrer"),
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            HeaderValue::from_static("same-origin"),
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("same-origin"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

/// Refuses requests for another host name, from another site, or at too high a rate, and adds the headers to all answers.
pub(crate) async fn guard(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let patience = web.lobby.shared.config.limits.patience;
    let peer = request.extensions().get().map(|&Peer(address)| address);
    let checked = check(&web, request.headers()).and_then(|()| {
        web.rates.request(peer).map_err(|too_many| match too_many {
            TooMany::OfOne => Refused::TooOften,
            TooMany::InAll => Refused::Busy,
        })
    });
    let mut response = match checked {
        Err(refused) => refused.into_response(),
        Ok(()) => match tokio::time::timeout(patience, next.run(request)).await {
            Ok(response) => response,
            Err(_) => Refused::Slow.into_response(),
        },
    };
    for (name, value) in headers() {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}

fn check(web: &Web, headers: &HeaderMap) -> Result<(), Refused> {
    let host = host(web, headers)?;
    // The same name with another scheme is another site.
    let own = match &web.lobby.shared.config.public {
        Some(public) if public.host() == host => public.to_string(),
        Some(_) | None => format!("http://{host}"),
    };
    for origin in headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().map_err(|_| Refused::Origin)?;
        if !origin.eq_ignore_ascii_case(&own) {
            return Err(Refused::Origin);
        }
    }
    let site = headers.get(HeaderName::from_static("sec-fetch-site"));
    let mode = headers.get(HeaderName::from_static("sec-fetch-mode"));
    // Users may follow a link on another site; all other requests from there are refused.
    let foreign = site.is_some_and(|site| site != "same-origin" && site != "none");
    if foreign && mode.is_none_or(|mode| mode != "navigate") {
        return Err(Refused::Origin);
    }
    Ok(())
}

/// The host name that a request is for, which must be one that the server answers to.
fn host(web: &Web, headers: &HeaderMap) -> Result<String, Refused> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let host = host.ok_or(Refused::Host)?.to_ascii_lowercase();
    match hosts.next().is_none() && is_own_host(web, &host) {
        true => Ok(host),
        false => Err(Refused::Host),
    }
}

/// Whether the server answers to a host name. This prevents DNS rebinding: a foreign name that points here is refused.
fn is_own_host(web: &Web, host: &str) -> bool {
    if let Some(public) = &web.lobby.shared.config.public
        && public.host() == host
    {
        return true;
    }
    let port = web.address.port();
    let name = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        None if port == 80 => host,
        None => return false,
    };
    if name == "localhost" {
        return true;
    }
    let Some(ip) = host_ip(name) else {
        return false;
    };
    ip.is_loopback() || ip == web.address.ip() || web.address.ip().is_unspecified()
}

/// A host name without a port as an address, if it is one.
fn host_ip(name: &str) -> Option<IpAddr> {
    let bare = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    bare.unwrap_or(name).parse().ok()
}

impl Web {
    /// The beginning of links for whoever has sent a request: the public address, or the one that the request came by. All
    /// addresses at once, which lead a browser on this machine here, lead others nowhere: then it is the address by which
    /// others most likely reach this machine.
    pub(crate) fn base(&self, headers: &HeaderMap) -> Result<String, Refused> {
        match &self.lobby.shared.config.public {
            Some(public) => Ok(public.to_string()),
            None => {
                let host = host(self, headers)?;
                let port = format!(":{}", self.address.port());
                let name = host.strip_suffix(&port).unwrap_or(&host);
                let is_all = host_ip(name).is_some_and(|ip| ip.is_unspecified());
                let reached = is_all.then(|| addresses::reaching(self.address));
                let reached = reached.and_then(|all| all.into_iter().next());
                Ok(reached.unwrap_or_else(|| format!("http://{host}")))
            }
        }
    }

    /// Whether a request comes from the host.
    pub(crate) fn is_host(&self, headers: &HeaderMap) -> bool {
        session(headers).is_some_and(|secret| self.lobby.sessions.accepts(&secret))
    }

    /// Waits until the session of the host ends that a connection was made with. Other connections wait forever.
    pub(crate) async fn session_end(&self, session: Option<&Secret>) {
        let Some(secret) = session else {
            return pending().await;
        };
        // Servers that share the folder end sessions too, and the file of the sessions is all that they share.
        while self.lobby.sessions.still_exists(secret) {
            sleep(LOOK_AGAIN).await;
        }
    }

    /// The role of a request in a game.
    pub(crate) async fn role(&self, headers: &HeaderMap, id: &str) -> Result<Role, Refused> {
        let links = self.lobby.links(id).await;
        let token = bearer(headers).and_then(Token::read);
        let role = links.as_ref().zip(token.as_ref());
        match (role.and_then(|(links, token)| links.role(token)), links) {
            (Some(role), _) => Ok(role),
            (None, Some(_)) if self.is_host(headers) => Ok(Role::Watch),
            (None, None) if self.is_host(headers) => Err(Refused::NotFound),
            // Strangers must not learn whether the game exists.
            (None, _) => Err(Refused::Unknown),
        }
    }

    /// Counts a request about a game.
    pub(crate) fn count_request(&self, asker: Asker) -> Result<(), Refused> {
        match self.rates.allows(asker) {
            true => Ok(()),
            false => Err(Refused::TooOften),
        }
    }

    /// Counts a wrong token.
    pub(crate) fn count_failure(&self) -> Refused {
        match self.rates.failures.take() {
            true => Refused::Unknown,
            false => Refused::TooOften,
        }
    }
}

/// The secret of the host's session that a request shows.
pub(crate) fn session(headers: &HeaderMap) -> Option<Secret> {
    bearer(headers).and_then(Secret::read)
}

/// The subprotocols that a WebSocket asks for.
pub(crate) fn subprotocols(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
    let offered = offered.filter_map(|value| value.to_str().ok());
    offered.flat_map(|value| value.split(',')).map(str::trim)
}

/// The secret that a request shows: after `Bearer`, or at a WebSocket, where scripts cannot set a header, as a subprotocol.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| {
        let text = value.to_str().ok()?;
        text.strip_prefix("Bearer ")
    });
    bearer.or_else(|| subprotocols(headers).find_map(|offered| offered.strip_prefix(BEARER)))
}
