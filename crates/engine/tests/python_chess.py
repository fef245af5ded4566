#!/usr/bin/env python3
"""Drives a UCI engine with python-chess through whole games, analysis, pondering and stopping.

    pip install chess
    python3 crates/engine/tests/python_chess.py target/release/tabiya uci

The arguments are the engine's program and its own arguments. python-chess refuses illegal moves and lines that cannot
be played; this script adds the checks that it does not make, and exits with an error at the first that fails.
"""

import asyncio
import sys
import time

import chess
import chess.engine

# python-chess drops a line that it cannot play and only logs it; here that is an error.
PROBLEMS = []


class Listener:
    """Collects what python-chess complains about."""

    def __init__(self):
        import logging

        class Handler(logging.Handler):
            def emit(self, record):
                if record.levelno >= logging.WARNING:
                    PROBLEMS.append(record.getMessage())

        chess.engine.LOGGER.addHandler(Handler())


def check(fine, what):
    if not fine:
        raise SystemExit(f"python-chess: {what}")


def check_line(board, line):
    """Every move of a line can be played."""
    board = board.copy(stack=False)
    for move in line:
        check(board.is_legal(move), f"{move} of a line is not legal in {board.fen()}")
        board.push(move)


def game_with_clocks(engine, board):
    """A whole game with clocks that are really kept. Returns the moves and the seconds left."""
    clocks = {chess.WHITE: 4.0, chess.BLACK: 4.0}
    increment = 0.02
    game = object()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        begun = time.monotonic()
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        clocks[board.turn] += increment - (time.monotonic() - begun)
        check(clocks[board.turn] > 0, f"the flag fell at ply {board.ply()}")
        check(result.move in board.legal_moves, f"{result.move} is not legal in {board.fen()}")
        check_line(board, result.info.get("pv", []))
        board.push(result.move)
    return board.ply(), clocks


def analysis(engine):
    """Several lines, each playable, sorted, and with different first moves."""
    for fen in [
        chess.STARTING_FEN,
        "r1bqkbnr/pp1ppppp/2n5/2p5/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
        "8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 w - - 0 40",
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    ]:
        board = chess.Board(fen)
        infos = engine.analyse(board, chess.engine.Limit(depth=3), multipv=4)
        check(len(infos) == 4, f"{len(infos)} lines instead of 4 in {fen}")
        firsts = set()
        scores = []
        for info in infos:
            check(info["pv"], f"an empty line in {fen}")
            check_line(board, info["pv"])
            firsts.add(info["pv"][0])
            scores.append(info["score"].relative.score(mate_score=100000))
        check(len(firsts) == 4, f"lines begin alike in {fen}")
        check(scores == sorted(scores, reverse=True), f"lines are not sorted in {fen}: {scores}")
    mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), chess.engine.Limit(depth=3))
    check(mate["score"].relative == chess.engine.Mate(1), f"a mate is not seen: {mate['score']}")


def pondering(engine):
    """A short game in which the engine ponders, hits and misses."""
    board = chess.Board()
    game = object()
    limit = chess.engine.Limit(white_clock=5, black_clock=5)
    hits = 0
    for ply in range(16):
        result = engine.play(board, limit, game=game, ponder=True)
        check(result.move in board.legal_moves, f"{result.move} is not legal in {board.fen()}")
        board.push(result.move)
        if board.is_game_over():
            break
        # Every other time what it expects is played, so both ponderhit and stop happen.
        if result.ponder is not None and ply % 2 == 0:
            check(result.ponder in board.legal_moves, f"{result.ponder} is no move to ponder on")
            board.push(result.ponder)
            hits += 1
        else:
            board.push(next(iter(board.legal_moves)))
        if board.is_game_over():
            break
    check(hits > 0, "it never said what to ponder on")


async def stopping(program):
    """Infinite analysis, stopped at different moments."""
    transport, engine = await chess.engine.popen_uci(program)
    try:
        board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
        slowest = 0.0
        for round in range(20):
            analysis = await engine.analysis(board)
            await asyncio.sleep(0.005 * round)
            begun = time.monotonic()
            analysis.stop()
            best = await asyncio.wait_for(analysis.wait(), 5)
            slowest = max(slowest, time.monotonic() - begun)
            check(best.move in board.legal_moves, f"{best.move} is not legal")
        # Ten times the goal of 50 ms: a busy machine is no hang.
        check(slowest < 0.5, f"stop took {slowest:.3f} s")
        await engine.ping()
        return slowest
    finally:
        await engine.quit()


def main():
    program = sys.argv[1:]
    if not program:
        raise SystemExit(__doc__)
    Listener()
    with chess.engine.SimpleEngine.popen_uci(program, timeout=20) as engine:
        check(engine.id["name"].startswith("Tabiya"), f"another engine: {engine.id}")
        for name in ["Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "UCI_Chess960",
                     "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "Seed", "Clear Hash"]:
            check(name in engine.options, f"no option {name}")
        engine.configure({"Hash": 32, "Threads": 1, "Clear Hash": None})
        plies, clocks = game_with_clocks(engine, chess.Board())
        print(f"a game with clocks: {plies} plies, {min(clocks.values()):.2f} s left at least")
        for number in (0, 356, 959):
            plies, _ = game_with_clocks(engine, chess.Board.from_chess960_pos(number))
            print(f"a Chess960 game from start {number}: {plies} plies")
        analysis(engine)
        print("analysis with four lines")
        pondering(engine)
        print("pondering")
    slowest = asyncio.run(stopping(program))
    print(f"stopping: {slowest * 1000:.1f} ms at most")
    check(not PROBLEMS, f"python-chess complained: {PROBLEMS}")
    print("python-chess: all fine")


main()
