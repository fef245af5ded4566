#!/usr/bin/env python3
"""Runs the SQL of docs/database.md in DuckDB and Polars and compares it with the program's own answers.

    pip install duckdb polars chess
    python3 crates/db/tests/sql.py target/release/tabiya
    python3 crates/db/tests/sql.py target/release/tabiya --spark     # in Spark alone; needs pyspark and Java 17

The argument is the program. The games are random ones with a fixed seed that share their beginnings. Exits with an error
at the first difference.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import chess
import chess.pgn

GAMES = 400
# Spark takes about a second for each statement.
POSITIONS = 15 if "--spark" in sys.argv else 60
TABLES = ["games", "tree", "exits", "occurrences"]


def statements():
    page = pathlib.Path(__file__).parents[3] / "docs" / "database.md"
    found = re.findall(r"```sql\n-- name: (\w+)\n(.*?)```", page.read_text(), re.S)
    assert len(found) == 4, "docs/database.md should have four named statements"
    return dict(found)


def game(choice, number):
    """A game that has few choices at first, so that games go together for a while."""
    board = chess.Board()
    for ply in range(choice.randrange(6, 50)):
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        if not moves:
            break
        if ply < 8:
            moves = moves[len(moves) // 2 :][:2]
        board.push(choice.choice(moves))
    game = chess.pgn.Game.from_board(board)
    game.headers["White"] = f"Player {choice.randrange(12)}"
    game.headers["Black"] = f"Player {number}"
    game.headers["Date"] = f"{choice.randrange(2012, 2020)}.05.01"
    game.headers["Result"] = choice.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if choice.randrange(4):
        game.headers["WhiteElo"] = str(choice.randrange(1600, 2700))
        game.headers["BlackElo"] = str(choice.randrange(1600, 2700))
    return game


def spark(data):
    """Spark on this machine, with few tasks for so few rows."""
    import pyspark.sql

    session = (
        pyspark.sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    for table in TABLES:
        session.read.parquet(f"{data}/{table}/*.parquet").createOrReplaceTempView(table)
    return {"Spark": lambda sql: [tuple(row) for row in session.sql(sql).collect()]}


def engines(data):
    """What runs SQL on the tables, by name."""
    if "--spark" in sys.argv:
        return spark(data)
    import duckdb
    import polars

    duck = duckdb.connect()
    pola = polars.SQLContext()
    for table in TABLES:
        duck.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{data}/{table}/*.parquet')")
        pola.register(table, polars.scan_parquet(f"{data}/{table}/*.parquet"))
    return {
        "DuckDB": lambda sql: duck.execute(sql).fetchall(),
        "Polars": lambda sql: pola.execute(sql, eager=True).rows(),
    }


def main():
    program = sys.argv[1]
    sql = statements()
    choice = random.Random(22)
    games = [game(choice, number) for number in range(GAMES)]
    visited = [visits(game) for game in games]
    with tempfile.TemporaryDirectory() as folder:
        pgn = pathlib.Path(folder) / "games.pgn"
        pgn.write_text("".join(f"{game}\n\n" for game in games))
        database = f"{folder}/games.db"
        subprocess.run([program, "db", "build", database, str(pgn), "--full"], check=True, stdout=subprocess.DEVNULL)

        def ask(*arguments):
            return json.loads(subprocess.run([program, *arguments, "--json"], capture_output=True, check=False).stdout)

        data = ask("db", "info", database)["data"]
        run = engines(data)
        compared = collections.Counter()
        for _ in range(POSITIONS):
            moves = [move.uci() for move in choice.choice(games).mainline_moves()]
            moves = moves[: choice.randrange(len(moves))]
            rating = choice.choice([0, 0, 2000, 2200])
            filters = ["--rating", f"{rating}.."] if rating else []
            answer = ask("explorer", "--db", database, "--moves", " ".join(moves), "--games", "0", *filters)
            values = {"key": answer["key"], "check": answer["keyCheck"], "rating": rating}
            board = chess.Board()
            for move in moves:
                board.push_uci(move)
            place = board.epd()
            here = [game for game, found in zip(games, visited) if place in found]
            decided = [
                (game, found[place])
                for game, found in zip(games, visited)
                if found.get(place) and game.headers["Result"] != "*"
            ]
            for name, query in run.items():
                if len(decided) > 1:
                    rows = query(sql["moves"].format(**values))
                    expected = [(m["uci"], m["white"], m["draws"], m["black"], m["lastYear"]) for m in answer["moves"]]
                    check(sorted(rows) == sorted(expected), name, moves, rows, expected)
                    compared["moves"] += 1
                    rows = query(sql["best"].format(**values))
                    expected = best_games(decided)
                    check(sorted(row[0] for row in rows) == sorted(expected), name, moves, rows, expected)
                    for uci, _, white, black, _ in rows:
                        check((white, black) in expected[uci], name, moves, rows, expected)
                        compared["best"] += 1
                rows = query(sql["games"].format(**values))
                expected = sorted((game.headers["White"], game.headers["Black"]) for game in here)
                check(sorted(row[1:3] for row in rows) == expected, name, moves, rows, expected)
                compared["games"] += 1
                rows = query(sql["bands"].format(**values))
                total = collections.Counter()
                for band, _, uci, white, draws, black, _ in rows:
                    if band >= rating:
                        total[uci] += white + draws + black
                for m in answer["moves"] if rating else []:
                    # What one game alone played is in `exits`.
                    alone = m["white"] + m["draws"] + m["black"] - total[m["uci"]]
                    check(alone in (0, 1), name, moves, rows, m)
                    compared["bands"] += 1
        check(min(compared[kind] for kind in ("moves", "games", "bands", "best")) >= POSITIONS // 4, "too little", compared)
        print(f"compared: {dict(compared)}")


def best_games(played):
    """The moves that at least two games have, and for each the players of the games with the highest rating."""
    by_move = collections.defaultdict(list)
    for game, uci in played:
        elo = [int(game.headers.get(f"{side}Elo", 0)) for side in ("White", "Black")]
        by_move[uci].append((sum(elo) // 2, game.headers["White"], game.headers["Black"]))
    return {
        uci: [found[1:] for found in games if found[0] == max(games)[0]]
        for uci, games in by_move.items()
        if len(games) > 1
    }


def visits(game):
    """The positions of a game, and for each the move that was played there first; `None` if the game ended there."""
    found = {}
    board = game.board()
    moves = list(game.mainline_moves())
    for move in moves:
        found.setdefault(board.epd(), move.uci())
        board.push(move)
    found.setdefault(board.epd(), None)
    return found


def check(fine, *what):
    if not fine:
        raise SystemExit(f"sql.py: {what}")


main()
