//! Changing the shape of the tree: promoting, demoting and deleting variations.

use super::{Node, NodeId, Record};

impl Record {
    /// Moves a node one place up among its siblings. Returns whether anything changed.
    pub fn promote(&mut self, id: NodeId) -> bool {
        let Some((parent, siblings, at)) = self.place(id) else {
            return false;
        };
        if at == 0 {
            return false;
        }
        self.reorder(parent, siblings, at, at - 1);
        true
    }

    /// Moves a node one place down among its siblings. Returns whether anything changed.
    pub fn demote(&mut self, id: NodeId) -> bool {
        let Some((parent, siblings, at)) = self.place(id) else {
            return false;
        };
        if at + 1 == siblings.len() {
            return false;
        }
        self.reorder(parent, siblings, at, at + 1);
        true
    }

    /// Makes a node and all its ancestors the first of their siblings. Returns whether anything changed.
    pub fn promote_to_main_line(&mut self, id: NodeId) -> bool {
        let mut changed = false;
        let mut next = Some(id);
        while let Some(id) = next {
            if let Some((parent, siblings, at)) = self.place(id)
                && at > 0
            {
                self.reorder(parent, siblings, at, 0);
                changed = true;
            }
            next = self.node(id).and_then(Node::parent).map(Node::id);
        }
        changed
    }

    /// Deletes a node and everything below it. The root stays. A cursor below the node goes to its parent.
    /// Returns whether anything changed.
    pub fn delete(&mut self, id: NodeId) -> bool {
        let Some((parent, mut siblings, at)) = self.place(id) else {
            return false;
        };
        let doomed: Vec<NodeId> = self
            .node(id)
            .into_iter()
            .flat_map(Node::subtree)
            .map(Node::id)
            .collect();
        siblings.remove(at);
        self.chain(parent, &siblings);
        for gone in doomed {
            let node = &mut self.nodes[gone.index()];
            node.alive = false;
            node.extra = None;
        }
        let ply = self.nodes[id.index()].ply as usize;
        if self.line.get(ply - 1) == Some(&id) {
            self.line.truncate(ply - 1);
            self.at = self.at.min(ply - 1);
            self.extend_line();
        }
        true
    }

    /// Adds a new child after the other children of its parent.
    pub(super) fn attach_last(&mut self, parent: NodeId, child: NodeId) {
        let before = self.nodes[parent.index()].last_child.replace(child.slot);
        match before {
            Some(before) => self.nodes[before.index()].next_sibling = Some(child.slot),
            None => self.nodes[parent.index()].first_child = Some(child.slot),
        }
    }

    /// Returns the parent of a node, all children of that parent, and the node's index among them.
    fn place(&self, id: NodeId) -> Option<(NodeId, Vec<NodeId>, usize)> {
        let parent = self.node(id)?.parent()?;
        let siblings: Vec<NodeId> = parent.children().map(Node::id).collect();
        let at = siblings.iter().position(|&sibling| sibling == id)?;
        Some((parent.id(), siblings, at))
    }

    fn reorder(&mut self, parent: NodeId, mut siblings: Vec<NodeId>, from: usize, to: usize) {
        let moved = siblings.remove(from);
        siblings.insert(to, moved);
        self.chain(parent, &siblings);
    }

    fn chain(&mut self, parent: NodeId, children: &[NodeId]) {
        let stored = &mut self.nodes[parent.index()];
        stored.first_child = children.first().map(|child| child.slot);
        stored.last_child = children.last().map(|child| child.slot);
        for (at, &child) in children.iter().enumerate() {
            self.nodes[child.index()].next_sibling = children.get(at + 1).map(|child| child.slot);
        }
    }
}
