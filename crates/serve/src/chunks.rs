//! Long lists in several messages: the moves of a game and the positions of a review. A message has the first part of its list
//! and its `count`; messages of type `more` follow at once with the other parts. So no message is much longer than a chunk,
//! and clients that read slowly hold nothing but what all clients of the game share.

use serde::Serialize;

use crate::json;
use crate::moves::PlayedMove;
use crate::tree::TreeNode;

/// The number of moves in a chunk: about 64 KiB.
pub(crate) const MOVES: usize = 500;
/// The size in bytes at which a chunk of a review is full.
const CHUNK_SIZE: usize = 64 * 1024;

/// Another part of a list.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Items<'a> {
    Moves(&'a [PlayedMove]),
    Nodes(&'a [TreeNode]),
}

/// Cuts the positions of a review into chunks.
pub(crate) fn cut(nodes: &[TreeNode]) -> impl Iterator<Item = &[TreeNode]> {
    let mut size = 0;
    nodes.chunk_by(move |node, _| {
        size += json::write(node).len();
        let fits = size < CHUNK_SIZE;
        if !fits {
            size = 0;
        }
        fits
    })
}

/// The size of all nodes as they are sent.
pub(crate) fn size(nodes: &[TreeNode]) -> usize {
    nodes.iter().map(|node| json::write(node).len() + 1).sum()
}
