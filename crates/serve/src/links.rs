//! The tokens of a game, in a file beside its save. The name of the file is an ID that this program made, never one that a
//! client sent.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{Disk, SystemDisk};

use crate::json;
use crate::private;
use crate::role::Role;
use crate::token::{NoRandom, Token};

/// The largest file that is read; ours are smaller.
const MAX_FILE_SIZE: u64 = 4096;
const ENDING: &str = ".json";

/// The links of a game: a token for each role, and where its rematch is.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    tokens: Vec<(Role, Token)>,
    next: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct File {
    links: BTreeMap<String, String>,
    /// The ID of the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

impl Links {
    pub(crate) fn random(roles: &[Role]) -> Result<Links, NoRandom> {
        let tokens = roles.iter().map(|&role| Ok((role, Token::random()?)));
        Ok(Links {
            tokens: tokens.collect::<Result<_, _>>()?,
            next: None,
        })
    }

    /// The ID of the rematch, if it had begun when the links were read.
    pub(crate) fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// The same links of a game whose rematch has begun.
    pub(crate) fn with_next(&self, id: &str) -> Links {
        Links {
            next: Some(id.to_owned()),
            ..self.clone()
        }
    }

    /// The role of a token.
    pub(crate) fn role(&self, token: &Token) -> Option<Role> {
        let found = self.tokens.iter().find(|(_, known)| known == token);
        found.map(|&(role, _)| role)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Role, Token)> {
        self.tokens.iter()
    }

    pub(crate) fn write(&self, folder: &Path, id: &str) -> io::Result<()> {
        let links = self
            .tokens
            .iter()
            .map(|(role, token)| (role_name(*role).to_owned(), token.reveal()));
        let file = File {
            links: links.collect(),
            next: self.next.clone(),
        };
        private::write(&path(folder, id), &json::write(&file))
    }

    /// Reads the links of a game.
    pub(crate) fn read(folder: &Path, id: &str) -> Option<Links> {
        let bytes = SystemDisk.read(&path(folder, id), MAX_FILE_SIZE).ok()?;
        let file: File = json::read(&bytes).ok()?;
        let roles = [Role::White, Role::Black, Role::Both, Role::Watch];
        let links = roles.into_iter().filter_map(|role| {
            let token = Token::read(file.links.get(role_name(role))?)?;
            Some((role, token))
        });
        Some(Links {
            tokens: links.collect(),
            next: file.next.filter(|id| is_id(id)),
        })
    }
}

/// Removes the links of a game that does not begin.
pub(crate) fn remove(folder: &Path, id: &str) -> io::Result<()> {
    SystemDisk.remove(&path(folder, id))
}

/// The IDs of all games with links, newest first.
pub(crate) fn ids(folder: &Path) -> io::Result<Vec<String>> {
    let mut files = SystemDisk.list(&links_folder(folder), |file| file.ends_with(ENDING))?;
    files.sort_unstable_by(|(a, earlier), (b, later)| (later, b).cmp(&(earlier, a)));
    let ids = files
        .iter()
        .filter_map(|(file, _)| file.strip_suffix(ENDING));
    Ok(ids.filter(|id| is_id(id)).map(str::to_owned).collect())
}

/// Whether a text has the form of an ID.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 16
        && text
            .bytes()
            .all(|sign| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign))
}

/// An ID as a number; it has 64 bits.
pub(crate) fn id_number(id: &str) -> Option<u64> {
    u64::from_str_radix(id, 16).ok().filter(|_| is_id(id))
}

pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::White => "white",
        Role::Black => "black",
        Role::Both => "both",
        Role::Watch => "watch",
    }
}

/// Creates the folders. Only their owner may read them and the links in them, also if others could until now.
pub(crate) fn make_folders(folder: &Path) -> io::Result<()> {
    private::make_folder(folder)?;
    let links = links_folder(folder);
    private::make_folder(&links)?;
    for (file, _) in SystemDisk.list(&links, |file| file.ends_with(ENDING))? {
        private::tighten(&links.join(file))?;
    }
    Ok(())
}

fn links_folder(folder: &Path) -> PathBuf {
    folder.join("links")
}

fn path(folder: &Path, id: &str) -> PathBuf {
    links_folder(folder).join(format!("{id}{ENDING}"))
}
