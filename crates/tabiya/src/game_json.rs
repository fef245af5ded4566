//! A recorded game as JSON: what `json` prints and exports.

use tabiya_game::{Annotation, Comment, MarkColor, Node, Record, Step};

use crate::json::Json;

/// How deep variations of variations are written. Deeper ones are left out, so that nothing exhausts a reader.
const DEEPEST: usize = 64;

pub(crate) fn json(record: &Record) -> Json {
    let tags = record
        .tags()
        .iter()
        .map(|(name, value)| Json::Object(vec![("name", name.into()), ("value", value.into())]));
    Json::Object(vec![
        ("start", record.start().fen().into()),
        ("result", record.result().as_str().into()),
        ("tags", Json::List(tags.collect())),
        ("moves", moves(record.root().next(), 0)),
    ])
}

/// A line of moves, each with the variations that could be played instead of it.
fn moves(first: Option<Node<'_>>, depth: usize) -> Json {
    let mut all = Vec::new();
    let mut next = first;
    while let Some(node) = next {
        let is_main = node
            .parent()
            .and_then(Node::next)
            .is_some_and(|main| main.id() == node.id());
        all.push(one(node, is_main, depth));
        next = node.next();
    }
    Json::List(all)
}

/// What a move is worth, and what is marked in the position after it.
fn drawn(annotation: &Annotation) -> Vec<(&'static str, Json)> {
    let mut members = Vec::new();
    if let Some(evaluation) = annotation.evaluation {
        let score = evaluation.score;
        let cp = score.centipawns().map(|n| ("cp", Json::Signed(n.into())));
        let mate = score
            .moves_to_mate()
            .map(|n| ("mate", Json::Signed(n.into())));
        let depth = evaluation.depth.map(|depth| ("depth", depth.into()));
        let members_of = cp.into_iter().chain(mate).chain(depth).collect();
        members.push(("evaluation", Json::Object(members_of)));
    }
    if !annotation.squares.is_empty() {
        let squares = annotation.squares.iter().map(|mark| {
            Json::Object(vec![
                ("color", color_name(mark.color).into()),
                ("square", mark.square.to_string().into()),
            ])
        });
        members.push(("squares", Json::List(squares.collect())));
    }
    if !annotation.arrows.is_empty() {
        let arrows = annotation.arrows.iter().map(|arrow| {
            Json::Object(vec![
                ("color", color_name(arrow.color).into()),
                ("from", arrow.from.to_string().into()),
                ("to", arrow.to.to_string().into()),
            ])
        });
        members.push(("arrows", Json::List(arrows.collect())));
    }
    members
}

fn color_name(color: MarkColor) -> &'static str {
    match color {
        MarkColor::Green => "green",
        MarkColor::Red => "red",
        MarkColor::Yellow => "yellow",
        MarkColor::Blue => "blue",
    }
}

fn one(node: Node<'_>, is_main: bool, depth: usize) -> Json {
    let uci = match (node.step(), node.parent()) {
        (Some(Step::Move(played)), Some(parent)) => parent.position().uci(played).to_string(),
        _ => "0000".to_owned(),
    };
    let san = node.san().map_or("--".to_owned(), |san| san.to_string());
    let mut members = vec![
        ("ply", node.ply().into()),
        ("san", san.into()),
        ("uci", uci.into()),
        ("fen", node.position().fen().into()),
    ];
    let annotation = node.annotation();
    let comments: Vec<&str> = annotation
        .before
        .iter()
        .chain(&annotation.comments)
        .chain(&annotation.after)
        .map(Comment::as_str)
        .collect();
    if !comments.is_empty() {
        members.push(("comments", comments.into()));
    }
    if !annotation.glyphs.is_empty() {
        let glyphs: Vec<u32> = annotation
            .glyphs
            .iter()
            .map(|glyph| glyph.0.into())
            .collect();
        members.push(("glyphs", glyphs.into()));
    }
    members.extend(drawn(annotation));
    // Variations stand with the move that they are alternatives to.
    if is_main && depth < DEEPEST {
        let others: Vec<Json> = node
            .parent()
            .into_iter()
            .flat_map(Node::children)
            .filter(|other| other.id() != node.id())
            .map(|other| moves(Some(other), depth + 1))
            .collect();
        if !others.is_empty() {
            members.push(("variations", Json::List(others)));
        }
    }
    Json::Object(members)
}

#[cfg(test)]
mod tests;
