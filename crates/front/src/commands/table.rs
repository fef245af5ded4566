//! The commands, in the order of the help.

use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::request::{GameRequest, NotesRequest, Question, StudyRequest, Target};

use super::read::{
    SIGNS, color, command, copied, count, draw, engine, explorer, fen, goto, mark, named_pieces,
    new, nothing, offer, opponent, optional, path, pending, piece_style, pieces, premove,
    read_aloud, reviewed, save_name, set, square, squares, steps, study, theme, unquoted,
    variation, watch,
};
use super::{
    ArgumentKind, Command, Entry, FileCommand, Group, Misuse, OpenCommand, ProgramCommand,
    ViewCommand,
};

/// The help on commands that write a file.
const WRITTEN_FILE: &str =
    "If the file exists, you are asked first. A leading ~ is your home folder.";
const SIDES: ArgumentKind = ArgumentKind::Choice(&["white", "black"]);
const QUESTIONS: ArgumentKind = ArgumentKind::Choice(&["draw", "takeback"]);

/// A command of a group, with its arguments as the help shows them.
const fn entry(group: Group, name: &'static str, arguments: &'static str) -> Entry {
    Entry {
        name,
        aliases: &[],
        arguments,
        summary: "",
        more: "",
        group,
        argument: ArgumentKind::Nothing,
        reaches_last_game: false,
        read: |_| Err(Misuse::Form),
    }
}

impl Entry {
    const fn aliases(self, aliases: &'static [&'static str]) -> Entry {
        Entry { aliases, ..self }
    }

    const fn summary(self, summary: &'static str) -> Entry {
        Entry { summary, ..self }
    }

    const fn more(self, more: &'static str) -> Entry {
        Entry { more, ..self }
    }

    /// A command that is about a game as a whole, even after its end.
    const fn reaches_last_game(self) -> Entry {
        Entry {
            reaches_last_game: true,
            ..self
        }
    }

    const fn argument(self, argument: ArgumentKind) -> Entry {
        Entry { argument, ..self }
    }

    const fn read(self, read: fn(&str) -> Result<Command, Misuse>) -> Entry {
        Entry { read, ..self }
    }
}

/// All commands.
pub const COMMANDS: &[Entry] = &[
    entry(Group::Game, "new", "[side] [opponent] [5+3] [fen FEN|960 [N]]")
        .summary("Begin a new game")
        .more("The side is yours: white, black or random. The opponent is human, bot, bot:N with a level from 1 to 10, \
               or uci:NAME with an engine's name or path, and perhaps with options: uci:stockfish?Hash=64&Threads=2. \
               Put anything with spaces in quotes: \"uci:/opt/my engine?Skill Level=3\". A clock is minutes+seconds \
               for both players, none is no clock, 960 a start position of Chess960 by its number from 0 to 959 or at \
               random. Anything left out stays as it is, except that a game begins from the standard start.")
        .argument(ArgumentKind::Choice(&[
            "white", "black", "random", "human", "bot", "uci", "none", "fen", "960",
        ]))
        .read(new),
    entry(Group::Game, "opponent", "[white|black] human|bot|bot:N|uci:NAME")
        .summary("Change who plays a side during the game")
        .more("Without a side it is the one that an engine plays or played last.")
        .argument(ArgumentKind::Choice(&["human", "bot", "uci"]))
        .read(opponent),
    entry(Group::Game, "hint", "")
        .summary("A hint: the piece, the square, the move")
        .read(|text| nothing(text, Question::Hint)),
    entry(Group::Game, "eval", "")
        .summary("Say how the game stands, and the best line")
        .more("The score is in pawns, and above zero when White stands better.")
        .read(|text| nothing(text, Question::Evaluate)),
    entry(Group::Game, "lines", "[bot|uci:NAME]")
        .summary("Show or hide the best lines")
        .more("The full screen keeps them beside the board; the line mode says them once. An engine that is named \
               gives them, and hints and evaluations, from then on.")
        .argument(ArgumentKind::Choice(&["bot", "uci"]))
        .read(|text| Ok(Question::Lines(optional(text, engine)?).into())),
    entry(Group::Game, "undo", "[n]")
        .aliases(&["u"])
        .summary("Take back a move, or n moves of either side")
        .more("Against an engine it goes back to your own turn. Nothing is lost: redo brings the moves back, and after \
               another move they stay as a variation.")
        .read(|text| Ok(GameRequest::Undo(count(text)?).into())),
    entry(Group::Game, "redo", "[n]")
        .summary("Replay moves that were taken back")
        .read(|text| Ok(GameRequest::Redo(count(text)?).into())),
    entry(Group::Game, "goto", "12|12b|start|end")
        .summary("Go to another place in the game")
        .more("12 or 12w is the position after White's 12th move, 12b the one after Black's. In a match \
               and in the list of a file it is a game.")
        .argument(ArgumentKind::Choice(&["start", "end"]))
        .read(goto),
    entry(Group::Game, "next", "[n]")
        .aliases(&["forward"])
        .summary("Go forward one move, or n moves")
        .more("It walks through a game and changes nothing.")
        .read(|text| Ok(GameRequest::GoTo(Target::Step(steps(text)?)).into())),
    entry(Group::Game, "previous", "[n]")
        .aliases(&["prev", "backward"])
        .summary("Go back one move, or n moves")
        .more("It walks through a game and changes nothing; undo takes moves back.")
        .read(|text| Ok(GameRequest::GoTo(Target::Step(-steps(text)?)).into())),
    entry(Group::Game, "flip", "")
        .summary("Turn the board around")
        .read(|text| nothing(text, ViewCommand::Flip)),
    entry(Group::Game, "draw", "[fifty|threefold] [move]")
        .aliases(&["claim"])
        .summary("Claim a draw by 50 moves or repetition")
        .more("Without a rule, 50 moves are tried first. With a move, you claim for the position after the move, which \
               is not played. On a server, it claims a win against an opponent who is away.")
        .argument(ArgumentKind::Moves)
        .read(draw),
    entry(Group::Game, "premove", "[move]")
        .summary("Set a move for your next turn, or none")
        .more("While the opponent thinks, the move waits. It is played at once when the turn comes, if it is legal \
               then.")
        .read(premove),
    entry(Group::Game, "offer", "[white|black]")
        .summary("Offer a draw")
        .more("The player to move offers, unless a side is named. The offer stands until it is answered or the \
               opponent moves.")
        .argument(SIDES)
        .read(offer),
    entry(Group::Game, "accept", "[draw|takeback]")
        .summary("Accept an offered draw, or a takeback")
        .argument(QUESTIONS)
        .read(|text| Ok(GameRequest::Accept(optional(text, pending)?).into())),
    entry(Group::Game, "decline", "[draw|takeback]")
        .summary("Decline an offered draw, or a takeback")
        .argument(QUESTIONS)
        .read(|text| Ok(GameRequest::Decline(optional(text, pending)?).into())),
    entry(Group::Game, "takeback", "[white|black]")
        .summary("Ask to take back your last move")
        .more("Unless a side is named, the one who has just moved asks; against an engine, you do.")
        .argument(SIDES)
        .read(|text| Ok(GameRequest::Takeback(optional(text, color)?).into())),
    entry(Group::Game, "resign", "[white|black]")
        .summary("Resign the game")
        .more("The player to move resigns, unless a side is named.")
        .argument(SIDES)
        .read(|text| Ok(GameRequest::Resign(optional(text, color)?).into())),
    entry(Group::Game, "pause", "")
        .summary("Stop the clocks, or let them run again")
        .read(|text| nothing(text, GameRequest::Pause)),
    entry(Group::Files, "fen", "[FEN]")
        .summary("Show the position as FEN, or begin from one")
        .argument(ArgumentKind::Choice(&["startpos"]))
        .read(fen),
    entry(Group::Files, "pgn", "[FILE]")
        .summary("Show the game as PGN, or write it to a file")
        .more(WRITTEN_FILE)
        .argument(ArgumentKind::Files)
        .reaches_last_game()
        .read(|text| Ok(FileCommand::Pgn(path(text)?).into())),
    entry(Group::Files, "save", "NAME")
        .summary("Save the game under a name")
        .more("From then on it has that name. A name that another game has is refused. Without a name the game is \
               saved again under the one it has; on the full screen, saving the review of a save asks whether to \
               replace it. Through a pipe, the save of a new game is a copy of its current state, and later moves are \
               not added.")
        .argument(ArgumentKind::Saves)
        .reaches_last_game()
        .read(|text| Ok(FileCommand::Save(optional(text, save_name)?).into())),
    entry(Group::Files, "load", "NAME")
        .summary("Continue a saved game")
        .more("From then on, every move is saved in it.")
        .argument(ArgumentKind::Saves)
        .read(|text| Ok(FileCommand::Load(save_name(text)?).into())),
    entry(Group::Files, "saves", "")
        .summary("List the saved games")
        .read(|text| nothing(text, FileCommand::Saves)),
    entry(Group::Files, "delete", "NAME")
        .summary("Move a saved game to the trash")
        .more("It asks first. The trash is a folder beside the saves, from which nothing is ever removed.")
        .argument(ArgumentKind::Saves)
        .read(|text| Ok(FileCommand::Delete(save_name(text)?).into())),
    entry(Group::Files, "copy", "fen|pgn")
        .summary("Copy the position or the game")
        .more("The game is the one that pgn shows. The full screen puts it on the clipboard as well; the line mode shows it.")
        .argument(ArgumentKind::Choice(&["fen", "pgn"]))
        .read(|text| Ok(FileCommand::Copy(copied(text)?).into())),
    entry(Group::Files, "json", "[FILE]")
        .summary("Show the game as JSON, or write it to a file")
        .more("The keys are start (a FEN), result, tags and moves; a move has ply, san, uci, fen, and where there are \
               any comments, glyphs, evaluation (cp or mate from White's side, depth), squares (color, square), arrows \
               (color, from, to) and variations. If the file exists, you are asked first.")
        .argument(ArgumentKind::Files)
        .reaches_last_game()
        .read(|text| Ok(FileCommand::Json(path(text)?).into())),
    entry(Group::Files, "svg", "FILE")
        .summary("Write a picture of the board")
        .more(WRITTEN_FILE)
        .argument(ArgumentKind::Files)
        .read(|text| Ok(FileCommand::Svg(path(text)?.ok_or(Misuse::Form)?).into())),
    entry(Group::Game, "mark", "!|?|!!|??|!?|?!|none")
        .summary("Mark the last move")
        .more("Marks are saved in the PGN.")
        .argument(ArgumentKind::Choice(SIGNS))
        .read(mark),
    entry(Group::Game, "comment", "[text]")
        .summary("Write a comment on the last move")
        .more("Without a text, the comment is removed. Comments are saved in the PGN.")
        .read(|text| Ok(NotesRequest::Comment(text.to_owned()).into())),
    entry(Group::Game, "variation", "next|previous|leave|up|main|delete")
        .summary("Go to other variations, or change them")
        .more("next and previous go to the alternatives to this move, leave to where the variation begins; up and main \
               change the order, and delete removes the move and everything after it.")
        .argument(ArgumentKind::Choice(&["next", "previous", "leave", "up", "main", "delete"]))
        .read(|text| Ok(NotesRequest::Variation(variation(text)?).into())),
    entry(Group::Modes, "review", "[FILE|FEN|save NAME]")
        .summary("Review a file of games, or this game")
        .more("The full screen lists the games of the file. The line mode takes the first, and back returns to your \
               game. Reviewing a saved game does not resume it.")
        .argument(ArgumentKind::Reviewed)
        .reaches_last_game()
        .read(|text| Ok(OpenCommand::Review(optional(text, reviewed)?).into())),
    entry(Group::Modes, "back", "")
        .summary("Return from a review to the game")
        .read(|text| nothing(text, OpenCommand::Back)),
    entry(Group::Looking, "explorer", "[own|games] [all|FILTER]|off")
        .summary("Show what was played here, from a database")
        .more("The database is the setting db.path, or the flag --db; own means your saved games, which are a database \
               where db.own is on. The filter is words: a name, white or black for the side that it has, speeds \
               such as blitz, rating 2400.. and years 2015..2020; all takes it away. The full screen keeps the answer \
               beside the board.")
        .argument(ArgumentKind::Choice(&[
            "own", "games", "all", "off", "rating", "years", "white", "black",
        ]))
        .read(explorer),
    entry(Group::Looking, "board", "")
        .summary("Show the board")
        .read(|text| nothing(text, ViewCommand::Board)),
    entry(Group::Looking, "p", "p|n|b|r|q|k")
        .summary("Say where the pieces of a kind are")
        .argument(ArgumentKind::Choice(&["p", "n", "b", "r", "q", "k"]))
        .read(pieces),
    entry(Group::Looking, "where", "knights")
        .summary("Say where the pieces of a kind are")
        .more("The same as p, with the name of the pieces: pawns, knights, bishops, rooks, queens or king.")
        .argument(ArgumentKind::Choice(&["pawns", "knights", "bishops", "rooks", "queens", "king"]))
        .read(named_pieces),
    entry(Group::Looking, "s", "e|4|e4")
        .summary("Say what stands on a file, rank or square")
        .more("For a square, it also says which pieces attack and defend it.")
        .read(squares),
    entry(Group::Looking, "read", "file e|rank 4|e4")
        .summary("Say what stands on a file, rank or square")
        .more("The same as s.")
        .argument(ArgumentKind::Choice(&["file", "rank"]))
        .read(read_aloud),
    entry(Group::Looking, "captured", "")
        .summary("Say what either side has captured")
        .read(|text| nothing(text, Question::Captured)),
    entry(Group::Looking, "material", "")
        .summary("Say which pieces either side has more of")
        .read(|text| nothing(text, Question::Material)),
    entry(Group::Looking, "last", "")
        .summary("Say the last move")
        .read(|text| nothing(text, Question::LastMove)),
    entry(Group::Looking, "opening", "")
        .summary("Say the name of the opening")
        .more("The last position of the game that has a name gives it, whatever the order of the moves.")
        .read(|text| nothing(text, Question::Opening)),
    entry(Group::Looking, "clock", "")
        .summary("Say how much time is left")
        .read(|text| nothing(text, Question::Clock)),
    entry(Group::Looking, "moves", "[e2]")
        .summary("List the legal moves, all or from a square")
        .read(|text| Ok(Question::Moves(optional(text, square)?).into())),
    entry(Group::Looking, "attackers", "e4")
        .summary("Say which pieces attack a square")
        .read(|text| Ok(Question::Attackers(square(text)?).into())),
    entry(Group::Modes, "theme", "[name]")
        .summary("Use a theme of the full screen, or the next")
        .argument(ArgumentKind::Choice(&["wood", "sea", "forest", "night", "contrast", "terminal"]))
        .read(|text| Ok(ViewCommand::Theme(optional(unquoted(text)?, theme)?).into())),
    entry(Group::Modes, "pieces", "auto|octants|sextants|blocks|figures|letters")
        .summary("Choose how pieces are shown")
        .more("Drawn pieces need the full screen and large squares; elsewhere they are figures.")
        .argument(ArgumentKind::Choice(&["auto", "octants", "sextants", "blocks", "figures", "letters"]))
        .read(|text| Ok(ViewCommand::PieceStyle(piece_style(unquoted(text)?)?).into())),
    entry(Group::Modes, "blindfold", "")
        .summary("Hide the pieces, or show them again")
        .read(|text| nothing(text, ViewCommand::Blindfold)),
    entry(Group::Modes, "set", "[key value]")
        .summary("Show the settings, or change one")
        .more("board on|off: whether the board is drawn before each prompt. pieces letters|figures: how. draws \
               claim|automatic: whether threefold repetition and the 50-move rule must be claimed or end the game at once. \
               The full screen knows more of them (set shows which) and writes them into config.toml:")
        .argument(ArgumentKind::Settings)
        .read(set),
    entry(Group::Modes, "study", "[bot|uci:NAME]")
        .summary("Judge the game: marks, accuracy, turns")
        .more("The full screen reviews the game meanwhile, and shows a curve of it; the line mode says what was wrong \
               and what was better. Marks and better moves are written into the game.")
        .argument(ArgumentKind::Choice(&["bot"]))
        .reaches_last_game()
        .read(study),
    entry(Group::Modes, "retry", "")
        .summary("Try the next mistake of a judged game again")
        .more("The game goes to the position before it, and the engine says whether the move you find is good enough.")
        .reaches_last_game()
        .read(|text| nothing(text, StudyRequest::Retry)),
    entry(Group::Modes, "better", "")
        .summary("Show the better line at a mistake")
        .more("In a judged game, it is the engine's line in place of the last move, or of the mistake that is tried again. It is \
               written into the game as a variation, on whose first move you are then: next and previous, or the arrow \
               keys, go through it, and variation leave goes back.")
        .reaches_last_game()
        .read(|text| nothing(text, StudyRequest::Line(LineKind::Best))),
    entry(Group::Modes, "refutation", "")
        .summary("Show the line that answers a mistake")
        .more("The same as better, but with the moves after the last move that show what was wrong with it.")
        .reaches_last_game()
        .read(|text| nothing(text, StudyRequest::Line(LineKind::Refutation))),
    entry(Group::Modes, "match", "A B [GAMES] [1s+0.1s|nodes N|depth N] [openings FILE]")
        .summary("Watch a match between bots and engines")
        .more("A player is bot, bot:N or uci:NAME. Without a limit, each has 5 seconds per game plus 0.05 seconds per \
               move. Without a file of openings (PGN, or one position per line), they are random. The full screen \
               shows the games; the line mode says how each of them ended, and the score.")
        .argument(ArgumentKind::Choice(&[
            "bot", "bot:1", "bot:5", "bot:10", "nodes", "depth", "openings",
        ]))
        .read(watch),
    entry(Group::Modes, "settings", "")
        .summary("Look through the settings and change them")
        .more("They are saved in config.toml. The line mode lists its own settings, which last until it ends.")
        .read(|text| nothing(text, ProgramCommand::Settings)),
    entry(Group::Modes, "help", "[command]")
        .aliases(&["?"])
        .summary("List the commands, or explain one")
        .argument(ArgumentKind::Commands)
        .read(|text| Ok(ProgramCommand::Help(optional(text, command)?).into())),
    entry(Group::Modes, "quit", "")
        .aliases(&["q"])
        .summary("Leave")
        .more("The end of the input does the same.")
        .read(|text| nothing(text, ProgramCommand::Quit)),
];
