#!/usr/bin/env python3
"""Writes a trained network in the format of the engine, and positions to check it with.

    export.py NAME.npz OUT.bin --positions DATA.valid [--checks OUT.txt]

Weights become integers. The output weights are rounded one after another, and each compensates, over the given positions,
for the rounding errors of those before it. With --checks it also writes 1,000 of the positions with the floating-point
output in centipawns, which a test of the engine compares with its own. Needs only numpy.
"""

import argparse
import json
import struct

import numpy as np

FEATURES, BUCKETS = 768, 8
QA, QB = 255, 64
# The largest product of a neuron (up to QA) and an output weight that fits into 16 bits.
LARGEST_OUTPUT = 127


class Positions:
    """Decodes packed positions, as `pack` writes them, into the features of both sides."""

    def __init__(self, raw):
        occupied = np.unpackbits(raw[:, :8], axis=1, bitorder="little").astype(bool)
        nibbles = np.stack((raw[:, 8:24] & 15, raw[:, 8:24] >> 4), axis=2).reshape(len(raw), 32).astype(np.int64)
        order = np.clip(occupied.cumsum(axis=1) - 1, 0, 31)
        piece = np.take_along_axis(nibbles, order, axis=1)
        role, others = piece & 7, piece >> 3
        kings = occupied & (role == 5)
        squares = np.arange(64)

        def mirror(king):
            return np.where((king & 7) >= 4, 7, 0)[:, None]

        own_mirror = mirror((kings & (others == 0)).argmax(axis=1))
        other_mirror = mirror((kings & (others == 1)).argmax(axis=1))
        own = others * 384 + role * 64 + (squares ^ own_mirror)
        other = (1 - others) * 384 + role * 64 + (squares ^ 56 ^ other_mirror)
        self.raw = raw
        self.own = np.where(occupied, own, FEATURES)
        self.other = np.where(occupied, other, FEATURES)
        self.bucket = np.clip((occupied.sum(axis=1) - 2) // 4, 0, BUCKETS - 1)


def activations(features, biases, positions):
    """Returns the squared and clipped neurons of both sides, those of the side to move first."""
    # A last row of zeros stands for squares without a piece.
    rows = np.vstack((features, np.zeros((1, features.shape[1]), features.dtype)))

    def side(indices):
        sums = np.repeat(biases[None, :], len(indices), axis=0)
        for square in range(64):
            sums += rows[indices[:, square]]
        return np.clip(sums, 0, 1) ** 2

    return np.hstack((side(positions.own), side(positions.other)))


def rounded_outputs(weights, exact, found):
    """Returns the integer output weights for which `found @ weights / QB` comes closest to `exact @ weights`, where `exact`
    are the neurons of the trainer and `found` those computed with integers."""
    width = weights.shape[0]
    target = exact @ weights
    gram = found.T @ found
    gram += np.eye(width) * (1e-3 * np.trace(gram) / width + 1e-9)
    # Start with the best real weights; after each rounding, adjust those that are not rounded yet.
    real = np.linalg.solve(gram, found.T @ target + 1e-3 * np.trace(found.T @ found) / width * weights)
    real = np.clip(real, -LARGEST_OUTPUT / QB, LARGEST_OUTPUT / QB)
    inverse = np.linalg.inv(gram)
    whole = np.zeros(width, dtype=np.int64)
    # The most active neurons matter most.
    for index in np.argsort(-np.diag(gram)):
        whole[index] = np.clip(np.round(real[index] * QB), -LARGEST_OUTPUT, LARGEST_OUTPUT)
        error = (real[index] - whole[index] / QB) / inverse[index, index]
        real = real - error * inverse[:, index]
        # From now on without this weight.
        inverse = inverse - np.outer(inverse[:, index], inverse[index, :]) / inverse[index, index]
        inverse[index, index] = 1.0
    return whole


def fnv1a(data):
    checksum = 0xCBF29CE484222325
    for byte in data:
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return checksum


def fen(raw):
    """Returns a packed position as a FEN with its own side to move, without castling rights and en passant square."""
    occupied = int.from_bytes(raw[:8].tobytes(), "little")
    board, index = {}, 0
    for square in range(64):
        if occupied >> square & 1:
            nibble = raw[8 + index // 2] >> (4 * (index % 2)) & 15
            letter = "PNBRQK"[nibble & 7]
            board[square] = letter if nibble < 8 else letter.lower()
            index += 1
    black = raw[27] == 1
    if black:
        board = {square ^ 56: letter.swapcase() for square, letter in board.items()}
    rows = []
    for rank in range(7, -1, -1):
        row, empty = "", 0
        for file in range(8):
            letter = board.get(rank * 8 + file)
            if letter is None:
                empty += 1
            else:
                row += (str(empty) if empty else "") + letter
                empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {'b' if black else 'w'} - - 0 1"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("network")
    parser.add_argument("out")
    parser.add_argument("--positions", required=True)
    parser.add_argument("--checks")
    args = parser.parse_args()

    saved = np.load(args.network)
    description = json.loads(str(saved["description"]))
    features = saved["features.weight"].T.astype(np.float64)
    biases = saved["features.bias"].astype(np.float64)
    outputs = saved["output.weight"].astype(np.float64)
    output_biases = saved["output.bias"].astype(np.float64)
    hidden = len(biases)
    assert features.shape == (FEATURES, hidden) and outputs.shape == (BUCKETS, 2 * hidden)
    # Outputs are corrected if the slope against the scores is outside 0.95 to 1.05, so that a pawn stays a pawn.
    slope = description["slope"]
    scale = round(description["scale"] if 0.95 <= slope <= 1.05 else description["scale"] / slope)

    whole_features = np.round(features * QA).astype(np.int64)
    whole_biases = np.round(biases * QA).astype(np.int64)
    # With 32 active inputs, no neuron overflows 16 bits.
    largest = np.sort(np.abs(whole_features), axis=0)[-32:].sum(axis=0) + np.abs(whole_biases)
    assert largest.max() <= 32767, f"a neuron can reach {largest.max()}"

    raw = np.fromfile(args.positions, dtype=np.uint8).reshape(-1, 32)
    generator = np.random.default_rng(1)
    raw = raw[generator.permutation(len(raw))[:100_000]]
    positions = Positions(raw)
    exact = activations(features, biases, positions)
    found = activations(whole_features / QA, whole_biases / QA, positions)
    whole_outputs = np.empty_like(outputs, dtype=np.int64)
    errors = np.empty(len(raw))
    plain_errors = np.empty(len(raw))
    expected = np.empty(len(raw))
    for bucket in range(BUCKETS):
        rows = positions.bucket == bucket
        whole_outputs[bucket] = rounded_outputs(outputs[bucket], exact[rows], found[rows])
        expected[rows] = exact[rows] @ outputs[bucket] + output_biases[bucket]
        plain = np.round(outputs[bucket] * QB) / QB
        plain_errors[rows] = found[rows] @ plain + output_biases[bucket] - expected[rows]
        errors[rows] = found[rows] @ (whole_outputs[bucket] / QB) + output_biases[bucket] - expected[rows]
    print(f"error of whole numbers, root mean square: {scale * np.sqrt((errors**2).mean()):.2f} centipawns, "
          f"simply rounded {scale * np.sqrt((plain_errors**2).mean()):.2f}")

    body = (
        whole_features.astype("<i2").tobytes()
        + whole_biases.astype("<i2").tobytes()
        + whole_outputs.astype("<i2").tobytes()
        + np.round(output_biases * QA * QB).astype("<i4").tobytes()
    )
    checksum = fnv1a(body)
    head = b"TABIYANN" + struct.pack("<6IQ", 1, hidden, BUCKETS, QA, QB, scale, checksum)
    with open(args.out, "wb") as file:
        file.write(head.ljust(64, b"\0") + body)
    print(f"{args.out}: {64 + len(body)} bytes, scale {scale}, checksum {checksum:016x}")
    if args.checks:
        with open(args.checks, "w") as file:
            for row, value in zip(raw[:1000], expected[:1000] * scale):
                file.write(f"{fen(row)}\t{value:.2f}\n")


if __name__ == "__main__":
    main()
