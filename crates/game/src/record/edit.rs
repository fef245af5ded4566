//! Changing the shape of the tree: promoting, demoting and deleting variations.

use super::{AddError, Node, NodeId, Record};

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

    /// Moves everything after a node into a variation beside it that repeats the node's own step; at the root, which has
    /// none, it deletes everything. The cursor's line must not go on after the node.
    pub(crate) fn set_aside(&mut self, id: NodeId) -> Result<(), AddError> {
        let Some(node) = self.node(id) else {
            return Err(AddError::NoSuchNode);
        };
        let (Some(parent), Some(step)) = (node.parent().map(Node::id), node.step()) else {
            self.delete_after(id);
            return Ok(());
        };
        let position = *node.position();
        let clock = node.annotation().clock;
        let twin = self.push(parent, step, position)?;
        if clock.is_some() {
            self.extra_mut(twin).annotation.clock = clock;
        }
        // A node comes after its parent in the list, so the nodes are copied.
        let mut copied = vec![(id, twin)];
        while let Some((from, to)) = copied.pop() {
            for child in self.children_of(from) {
                let stored = &self.nodes[child.index()];
                let (step, position, extra) = (stored.step, stored.position, stored.extra.clone());
                if let Some(step) = step {
                    let copy = self.push(to, step, position)?;
                    self.nodes[copy.index()].extra = extra;
                    copied.push((child, copy));
                }
            }
        }
        self.delete_after(id);
        Ok(())
    }

    /// Deletes everything after a node.
    pub(crate) fn delete_after(&mut self, id: NodeId) {
        for child in self.children_of(id) {
            self.delete(child);
        }
    }

    /// Returns the children of a node, in order.
    fn children_of(&self, id: NodeId) -> Vec<NodeId> {
        let node = self.node(id);
        node.into_iter()
            .flat_map(Node::children)
            .map(Node::id)
            .collect()
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

    /// Moves a child from one index among its siblings to another.
    fn reorder(&mut self, parent: NodeId, mut siblings: Vec<NodeId>, from: usize, to: usize) {
        let moved = siblings.remove(from);
        siblings.insert(to, moved);
        self.chain(parent, &siblings);
    }

    /// Links children in this order below their parent.
    fn chain(&mut self, parent: NodeId, children: &[NodeId]) {
        let stored = &mut self.nodes[parent.index()];
        stored.first_child = children.first().map(|child| child.slot);
        stored.last_child = children.last().map(|child| child.slot);
        for (at, &child) in children.iter().enumerate() {
            self.nodes[child.index()].next_sibling = children.get(at + 1).map(|child| child.slot);
        }
    }
}
