//! `tabiya train list`: all exercises, or those of a theme or a kind.

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::json::train::listed;
use tabiya_front::output::{Output, say};
use tabiya_front::training::{self, Learner};
use tabiya_front::wording::train as wording;
use tabiya_train::item::{Item, ItemKind};
use tabiya_train::memory::Standing;

pub(super) const EXAMPLES: &str = "\
Examples:
  tabiya train list
  tabiya train list --kind own --theme time
  tabiya train list --json

What is due comes first, then what is new, then the rest in the order of its days. Nothing is changed.
With --json each object is an exercise: id, kind, themes, state, due, side, fen, best, played, from, ply,
opponent, date.";

#[derive(Debug, Args)]
pub struct List {
    /// Only the exercises of this theme, such as fork
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// Only the exercises of this kind
    #[arg(long, value_name = "KIND", value_parser = ItemKind::ALL.map(ItemKind::name))]
    kind: Option<String>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

impl List {
    fn is_wanted(&self, item: &Item) -> bool {
        let has = |theme: &String| item.themes.iter().any(|of| of.eq_ignore_ascii_case(theme));
        let is = |kind: &String| item.kind.name() == kind;
        self.theme.as_ref().is_none_or(has) && self.kind.as_ref().is_none_or(is)
    }
}

pub(super) fn run(args: &List, learner: &Learner) -> Result<(), Failure> {
    let (trainer, notices) = training::look(learner).map_err(Failure::unusable)?;
    for notice in &notices {
        say(&format!("tabiya: {notice}"));
    }
    let today = training::now().day();
    let items = trainer.memory().items();
    let mut items: Vec<_> = items
        .filter(|(item, _)| args.is_wanted(item))
        .map(|(item, known)| (item, known.standing(today, learner.retention)))
        .collect();
    let rank = |standing: &Standing| match standing {
        Standing::Due => (0, 0),
        Standing::New => (1, 0),
        Standing::Waiting(days) | Standing::Learned(days) => (2, *days),
        Standing::Suspended => (3, 0),
    };
    items.sort_by_cached_key(|(item, standing)| {
        let date = std::cmp::Reverse(item.date.clone());
        (rank(standing), date, item.ply, item.id)
    });
    let mut output = Output::stdout();
    for (item, standing) in items {
        match args.json {
            true => output.json(&listed(item, standing))?,
            false => {
                let line = wording::listed(item, standing);
                output.foreign(format!("{line}\n").as_bytes())?;
            }
        }
    }
    output.finish()
}
