//! The addresses of this machine, for a server that listens on all of them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Addresses elsewhere, for which the system is asked for a route. Nothing is sent there.
const ELSEWHERE: [&str; 5] = [
    "192.0.2.1:9",
    "192.168.0.1:9",
    "10.0.0.1:9",
    "172.16.0.1:9",
    "[2001:db8::1]:9",
];

/// The addresses, as the beginnings of links, by which a server that listens on one is reached: all of this machine, or
/// that one.
pub(crate) fn reaching(listening: SocketAddr) -> Vec<String> {
    let (ip, port) = (listening.ip(), listening.port());
    let mut found = vec![ip];
    if ip.is_unspecified() {
        found = of_this_machine(ip);
        found.push(Ipv4Addr::LOCALHOST.into());
    }
    let base = |ip| format!("http://{}", SocketAddr::new(ip, port));
    found.into_iter().map(base).collect()
}

/// The addresses by which other machines may reach this one if it listens on `all`, which is 0.0.0.0 or [::]. The one that
/// connections to elsewhere come from is the first.
fn of_this_machine(all: IpAddr) -> Vec<IpAddr> {
    let routed = ELSEWHERE.iter().filter_map(|elsewhere| route(elsewhere));
    let v4 = read("/proc/net/fib_trie");
    let v6 = read("/proc/net/if_inet6");
    let mut found = Vec::new();
    for address in routed.chain(local_v4(&v4)).chain(global_v6(&v6)) {
        let is_heard = all.is_ipv6() || address.is_ipv4();
        if is_heard && !address.is_loopback() && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Linux lists its addresses in files. Elsewhere they are missing, and there are only the addresses of routes.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The address that this machine has on the way to another one.
fn route(elsewhere: &str) -> Option<IpAddr> {
    let any: IpAddr = match elsewhere.starts_with('[') {
        true => Ipv6Addr::UNSPECIFIED.into(),
        false => Ipv4Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(elsewhere).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

/// The addresses in `/proc/net/fib_trie`: each is on the line before one that says `/32 host LOCAL`.
fn local_v4(text: &str) -> impl Iterator<Item = IpAddr> {
    let lines = text.lines().zip(text.lines().skip(1));
    lines.filter_map(|(line, next)| {
        let address = line.trim_start().strip_prefix("|-- ")?;
        let is_local = next.trim() == "/32 host LOCAL";
        address.parse().ok().filter(|_| is_local)
    })
}

/// The addresses in `/proc/net/if_inet6` that are valid everywhere: 32 digits, and 00 in the fourth column.
fn global_v6(text: &str) -> impl Iterator<Item = IpAddr> {
    text.lines().filter_map(|line| {
        let mut columns = line.split_ascii_whitespace();
        let digits = columns.next().filter(|digits| digits.len() == 32)?;
        let number = u128::from_str_radix(digits, 16).ok()?;
        (columns.nth(2) == Some("00")).then(|| Ipv6Addr::from(number).into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_linux_are_read() {
        let trie = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 10.42.0.0\n        /24 link UNICAST\n     |-- 10.42.0.1\n        \
                    /32 host LOCAL\n     |-- 10.42.0.255\n        /32 link BROADCAST\n     |-- x\n        /32 host LOCAL\n";
        let found: Vec<IpAddr> = local_v4(trie).collect();
        assert_eq!(found, [IpAddr::from([10, 42, 0, 1])]);
        let inet6 = "fd000000000000000000000000000002 04 40 00 82 eth0\n\
                     fe8000000000000000fc00fffe000001 04 40 20 80 eth0\nzz 04 40 00 82 eth0\n\
                     00000000000000000000000000000001 01 80 10 80 lo\n";
        let found: Vec<IpAddr> = global_v6(inet6).collect();
        assert_eq!(found, ["fd00::2".parse::<IpAddr>().expect("an address")]);
    }

    #[test]
    fn only_addresses_that_others_may_reach_are_listed_once() {
        for all in [
            IpAddr::from(Ipv4Addr::UNSPECIFIED),
            Ipv6Addr::UNSPECIFIED.into(),
        ] {
            let found = of_this_machine(all);
            for (at, address) in found.iter().enumerate() {
                assert!(!address.is_loopback() && !address.is_unspecified());
                assert!(all.is_ipv6() || address.is_ipv4(), "{address}");
                assert!(!found[..at].contains(address), "{found:?}");
            }
        }
    }
}
