//! How often anybody may ask: each client, and all of them together. It is counted before anything is done for a request.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::config::Limits;
use crate::role::Role;

/// How many tries to enter may fail in ten seconds.
const FAILURES: u32 = 30;
/// Rematches of one player after another game, each second.
const REMATCHES: f64 = 0.2;

/// A token bucket: so many at once, and then some every second.
#[derive(Debug)]
pub(crate) struct Bucket {
    most: u32,
    each_second: f64,
    left: f64,
    at: Instant,
}

impl Bucket {
    /// So many at once, and the same number every ten seconds.
    pub(crate) fn new(most: u32) -> Bucket {
        Bucket {
            most,
            each_second: f64::from(most) / 10.0,
            left: f64::from(most),
            at: Instant::now(),
        }
    }

    /// Takes one, if there is one.
    fn take(&mut self) -> bool {
        self.take_many(1)
    }

    /// Takes so many, if there are so many.
    pub(crate) fn take_many(&mut self, count: usize) -> bool {
        let most = f64::from(self.most);
        self.left = (self.left + self.at.elapsed().as_secs_f64() * self.each_second).min(most);
        self.at = Instant::now();
        let has = self.left >= count as f64;
        if has {
            self.left -= count as f64;
        }
        has
    }
}

/// A bucket that all threads share.
#[derive(Debug)]
pub(crate) struct SharedBucket(Mutex<Bucket>);

impl SharedBucket {
    pub(crate) fn new(most: u32) -> SharedBucket {
        SharedBucket(Mutex::new(Bucket::new(most)))
    }

    /// So many rematches at once, and then as many as people play.
    pub(crate) fn of_rematches(most: u32) -> SharedBucket {
        SharedBucket(Mutex::new(Bucket {
            each_second: REMATCHES,
            ..Bucket::new(most)
        }))
    }

    pub(crate) fn take(&self) -> bool {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Bucket> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bucket for each client.
#[derive(Debug)]
struct Buckets<K> {
    most: u32,
    of: HashMap<K, Arc<SharedBucket>>,
    /// With so many of them, those that are full again are forgotten.
    many: usize,
}

impl<K: Eq + Hash> Buckets<K> {
    const MANY: usize = 1_000;

    fn new(most: u32) -> Buckets<K> {
        Buckets {
            most,
            of: HashMap::new(),
            many: Buckets::<K>::MANY,
        }
    }

    /// Returns the bucket of a client. It is not full again for a client that comes back.
    fn of(&mut self, client: K) -> Arc<SharedBucket> {
        if self.of.len() >= self.many {
            // After ten seconds without a request a bucket is full. One that is held is in use.
            self.of.retain(|_, bucket| {
                Arc::strong_count(bucket) > 1 || bucket.lock().at.elapsed().as_secs() < 10
            });
            // Not again at every request while many clients are busy.
            self.many = Buckets::<K>::MANY.max(2 * self.of.len());
        }
        let fresh = || Arc::new(SharedBucket::new(self.most));
        Arc::clone(self.of.entry(client).or_insert_with(fresh))
    }

    fn take(&mut self, client: K) -> bool {
        self.of(client).take()
    }
}

/// Who asks for something of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asker {
    /// Whoever runs the server.
    Host,
    /// Whoever has a link of a game.
    Link(String, Role),
}

/// What a request would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooMany {
    OfOne,
    InAll,
}

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Rates {
    requests: SharedBucket,
    pub(crate) messages: SharedBucket,
    /// Secrets that were wrong.
    pub(crate) failures: SharedBucket,
    of_address: Mutex<Buckets<IpAddr>>,
    of_asker: Mutex<Buckets<Asker>>,
    /// Messages over the sockets of one link.
    of_link: Mutex<Buckets<Asker>>,
}

impl Rates {
    pub(crate) fn new(limits: &Limits) -> Rates {
        Rates {
            requests: SharedBucket::new(limits.requests_in_all),
            messages: SharedBucket::new(limits.messages_in_all),
            failures: SharedBucket::new(FAILURES),
            of_address: Mutex::new(Buckets::new(limits.requests_of_one)),
            of_asker: Mutex::new(Buckets::new(limits.requests)),
            of_link: Mutex::new(Buckets::new(limits.messages)),
        }
    }

    /// Returns what counts the messages of a socket. All sockets of a player share it, so that a new connection is no way to
    /// send more. Many people have the link to watch, so each of their sockets has its own; what they ask for is refused
    /// before anything else is counted.
    pub(crate) fn messages_of(&self, id: &str, role: Role) -> Arc<SharedBucket> {
        let mut of_link = self.of_link.lock().unwrap_or_else(PoisonError::into_inner);
        match role {
            Role::Watch => Arc::new(SharedBucket::new(of_link.most)),
            Role::White | Role::Black | Role::Both => of_link.of(Asker::Link(id.to_owned(), role)),
        }
    }

    /// Counts a request of any kind. What an address has too much of is not taken from the others.
    pub(crate) fn request(&self, peer: Option<IpAddr>) -> Result<(), TooMany> {
        if let Some(address) = peer.and_then(counted_address) {
            let mut of_address = self
                .of_address
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if !of_address.take(address) {
                return Err(TooMany::OfOne);
            }
        }
        match self.requests.take() {
            true => Ok(()),
            false => Err(TooMany::InAll),
        }
    }

    /// Counts a request about a game.
    pub(crate) fn allows(&self, asker: Asker) -> bool {
        let mut of_asker = self.of_asker.lock().unwrap_or_else(PoisonError::into_inner);
        of_asker.take(asker)
    }
}

/// The address by which a client is counted; none for this machine, because behind something with TLS all clients come from
/// here. A network of IPv6 is one client: whoever has one address of it has all of them.
pub(crate) fn counted_address(peer: IpAddr) -> Option<IpAddr> {
    match peer.to_canonical() {
        peer if peer.is_loopback() => None,
        IpAddr::V4(peer) => Some(peer.into()),
        IpAddr::V6(peer) => {
            let [a, b, c, d, ..] = peer.segments();
            Some(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_network_of_ipv6_is_one_client_and_this_machine_is_none() {
        for (peer, counted) in [
            ("127.0.0.1", None),
            ("127.3.2.1", None),
            ("::1", None),
            ("::ffff:127.0.0.1", None),
            ("192.0.2.1", Some("192.0.2.1")),
            ("::ffff:192.0.2.1", Some("192.0.2.1")),
            ("2001:db8:1:2:3:4:5:6", Some("2001:db8:1:2::")),
            ("2001:db8:1:2::1", Some("2001:db8:1:2::")),
            ("2001:db8:1:3::1", Some("2001:db8:1:3::")),
        ] {
            assert_eq!(
                counted_address(address(peer)),
                counted.map(address),
                "{peer}"
            );
        }
    }

    /// An address elsewhere that asks too often is refused, and takes nothing from the others.
    #[test]
    fn one_address_elsewhere_does_not_take_all_requests() {
        let limits = Limits {
            requests_of_one: 3,
            requests_in_all: 8,
            ..Limits::default()
        };
        let rates = Rates::new(&limits);
        let (loud, quiet) = (address("192.0.2.1"), address("192.0.2.2"));
        let answers: Vec<_> = (0..100).map(|_| rates.request(Some(loud))).collect();
        assert_eq!(answers[..3], [Ok(()); 3]);
        assert!(answers.contains(&Err(TooMany::OfOne)));
        assert!(!answers.contains(&Err(TooMany::InAll)));
        assert_eq!(rates.request(Some(quiet)), Ok(()));
        // This machine has what there is in all.
        let here: Vec<_> = (0..100)
            .map(|_| rates.request(Some(address("::1"))))
            .collect();
        assert_eq!(here[0], Ok(()));
        assert!(here.contains(&Err(TooMany::InAll)));
    }

    /// Clients that were here long ago take no memory.
    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let mut buckets = Buckets::new(5);
        for client in 0..Buckets::<usize>::MANY {
            assert!(buckets.take(client));
        }
        let long_ago = Instant::now()
            .checked_sub(std::time::Duration::from_secs(60))
            .expect("a machine that runs for a minute");
        for bucket in buckets.of.values() {
            bucket.lock().at = long_ago;
        }
        assert!(buckets.take(usize::MAX));
        assert_eq!(buckets.of.len(), 1);
    }
}
