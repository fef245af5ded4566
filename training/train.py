#!/usr/bin/env python3
"""Trains the evaluation network from packed positions.

    train.py --data gen0 [--data gen1 ...] --out NAME [--hidden 512] [--epochs 20] ...

Reads `DATA.train` and `DATA.valid` (32 bytes for each position, as `pack` writes them), keeps all of it in GPU memory, and
writes `NAME.npz`, which export.py turns into the file for the engine. Prints the validation loss after every epoch, and at
the end the slope of the output against the scores.
"""

import argparse
import json
import math
import sys
import time

import numpy as np
import torch
from torch import nn

FEATURES = 768
# Rows of inputs with room for the index of "no piece", in a length that is fast to multiply on the GPU.
WIDTH = 776
BUCKETS = 8
# The largest weight: 127/64 for the outputs, and 32 inputs of it cannot overflow 16 bits.
CLIP = 1.98


class Network(nn.Module):
    """768 inputs for each side, one shared hidden layer, and one of eight outputs, chosen by the number of pieces."""

    def __init__(self, hidden):
        super().__init__()
        self.features = nn.Linear(WIDTH, hidden)
        self.output = nn.Linear(2 * hidden, BUCKETS)
        # About 30 inputs are active at a time, so initialize like a layer with 30 inputs.
        bound = 1 / math.sqrt(30)
        nn.init.uniform_(self.features.weight, -bound, bound)
        nn.init.uniform_(self.features.bias, 0, bound)

    def forward(self, own, other, bucket):
        hidden = torch.cat((self.features(own), self.features(other)), dim=1)
        hidden = hidden.clamp(0, 1).square()
        return self.output(hidden).gather(1, bucket.unsqueeze(1)).squeeze(1)

    def load(self, path):
        """Takes the weights of a file that the engine reads, to go on from them."""
        with open(path, "rb") as file:
            header, body = file.read(64), file.read()
        hidden, outputs, qa, qb = np.frombuffer(header[12:28], dtype="<u4").tolist()
        if header[:8] != b"TABIYANN" or hidden != self.features.out_features or outputs != BUCKETS:
            raise SystemExit(f"{path} is not a network of {self.features.out_features} neurons")
        numbers = np.frombuffer(body, dtype="<i2", count=(FEATURES + 1 + 2 * BUCKETS) * hidden).astype(np.float32)
        features, biases, output = np.split(numbers, [FEATURES * hidden, (FEATURES + 1) * hidden])
        output_biases = np.frombuffer(body[-4 * BUCKETS :], dtype="<i4").astype(np.float32)
        with torch.no_grad():
            self.features.weight[:, :FEATURES] = torch.from_numpy(features.reshape(FEATURES, hidden).T / qa)
            self.features.bias.copy_(torch.from_numpy(biases / qa))
            self.output.weight.copy_(torch.from_numpy(output.reshape(BUCKETS, 2 * hidden) / qb))
            self.output.bias.copy_(torch.from_numpy(output_biases / (qa * qb)))

    def clip(self):
        with torch.no_grad():
            for weights in (self.features.weight, self.features.bias, self.output.weight):
                weights.clamp_(-CLIP, CLIP)


class Positions:
    """Packed positions on the GPU, decoded once into the features of both sides (at most 32 each, then padding)."""

    def __init__(self, paths, device, limit=None):
        raw = np.concatenate([np.fromfile(path, dtype=np.uint8).reshape(-1, 32) for path in paths])
        if limit is not None:
            raw = raw[:limit]
        self.count = len(raw)
        own, other, bucket = [], [], []
        for start in range(0, self.count, 1 << 20):
            part = decode(torch.from_numpy(raw[start : start + (1 << 20)]).to(device))
            own.append(part[0])
            other.append(part[1])
            bucket.append(part[2])
        self.own, self.other, self.bucket = torch.cat(own), torch.cat(other), torch.cat(bucket)
        scores = raw[:, 24:26].copy().view(np.int16).astype(np.float32)[:, 0]
        self.score = torch.from_numpy(scores).to(device)
        self.result = torch.from_numpy(raw[:, 26].astype(np.float32) / 2).to(device)

    def batch(self, rows):
        return (
            one_hot(self.own[rows]),
            one_hot(self.other[rows]),
            self.bucket[rows].long(),
            self.score[rows],
            self.result[rows],
        )


def decode(raw):
    """Returns the features of both sides and the output bucket of packed positions."""
    device = raw.device
    squares = torch.arange(64, device=device)
    occupied = (raw[:, :8].unsqueeze(2) >> torch.arange(8, device=device)) & 1
    occupied = occupied.reshape(len(raw), 64).bool()
    nibbles = torch.stack((raw[:, 8:24] & 15, raw[:, 8:24] >> 4), dim=2).reshape(len(raw), 32).long()
    # The number of pieces on lower squares, which is the index of a square's nibble.
    order = (occupied.long().cumsum(1) - 1).clamp(0, 31)
    piece = nibbles.gather(1, order)
    role, others = piece & 7, piece >> 3
    is_king = occupied & (role == 5)
    own_king = (is_king & (others == 0)).long().argmax(1)
    other_king = (is_king & (others == 1)).long().argmax(1)
    own_mirror = torch.where((own_king & 7) >= 4, 7, 0).unsqueeze(1)
    other_mirror = torch.where((other_king & 7) >= 4, 7, 0).unsqueeze(1)
    own = others * 384 + role * 64 + (squares ^ own_mirror)
    other = (1 - others) * 384 + role * 64 + (squares ^ 56 ^ other_mirror)
    own = torch.where(occupied, own, FEATURES)
    other = torch.where(occupied, other, FEATURES)
    # At most 32 are active: the smallest 32 after sorting, because the padding is the largest number.
    own = own.sort(1).values[:, :32].to(torch.int16)
    other = other.sort(1).values[:, :32].to(torch.int16)
    bucket = ((occupied.sum(1) - 2) // 4).clamp(0, BUCKETS - 1).to(torch.uint8)
    return own, other, bucket


def one_hot(indices):
    dense = torch.zeros(len(indices), WIDTH, device=indices.device)
    dense.scatter_(1, indices.long(), 1.0)
    dense[:, FEATURES:] = 0
    return dense


def slope(positions):
    """Returns the scale S for which 1 / (1 + exp(-score / S)) predicts the results best."""
    low, high = 50.0, 800.0
    score, result = positions.score, positions.result

    def loss(scale):
        return (torch.sigmoid(score / scale) - result).square().mean().item()

    for _ in range(40):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if loss(a) < loss(b):
            high = b
        else:
            low = a
    return (low + high) / 2


def targets(score, result, scale, share):
    return share * result + (1 - share) * torch.sigmoid(score / scale)


@torch.no_grad()
def validate(network, positions, scale, share, power):
    """Returns the loss, the mean square errors against scores alone and results alone, and the outputs in centipawns."""
    sums, outputs = [0.0, 0.0, 0.0], []
    for rows in torch.arange(positions.count, device=positions.score.device).split(65536):
        own, other, bucket, score, result = positions.batch(rows)
        output = network(own, other, bucket)
        chance = torch.sigmoid(output)
        sums[0] += (chance - targets(score, result, scale, share)).abs().pow(power).sum().item()
        sums[1] += (chance - torch.sigmoid(score / scale)).square().sum().item()
        sums[2] += (chance - result).square().sum().item()
        outputs.append(output)
    return [total / positions.count for total in sums], torch.cat(outputs) * scale


# How many steps are waited for and then timed, if the time is limited.
CALIBRATION = 300


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", action="append", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--epochs", type=float, default=20)
    parser.add_argument("--seconds", type=float, help="train for so long, instead of a number of epochs")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--last-rate", type=float, default=0.000005)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--result-share", type=float, default=0.3)
    parser.add_argument("--power", type=float, default=2.0)
    parser.add_argument("--scale", type=float, help="centipawns per logit; fitted to the games if not given")
    parser.add_argument("--start", help="a network of the engine to go on from, instead of random weights")
    parser.add_argument("--limit", type=int, help="use only so many training positions")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    began = time.time()
    training = Positions([f"{name}.train" for name in args.data], device, args.limit)
    validation = Positions([f"{name}.valid" for name in args.data], device)
    scale = args.scale or slope(training)
    print(f"{training.count} positions to train from, {validation.count} set aside, scale {scale:.1f}, "
          f"read in {time.time() - began:.0f} s", flush=True)

    network = Network(args.hidden)
    if args.start:
        network.load(args.start)
    network = network.to(device)
    loss, _ = validate(network, validation, scale, args.result_share, args.power)
    print(f"before training: validation {loss[0]:.6f} (scores {loss[1]:.6f}, results {loss[2]:.6f})", flush=True)
    optimizer = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=args.decay)
    steps = sys.maxsize if args.seconds else int(args.epochs * training.count / args.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps, args.last_rate)
    order, at, epoch, sum_of_losses, counted = None, training.count, 0, torch.zeros((), device=device), 0
    losses = []
    began = time.time()
    step = 0
    while step < steps:
        step += 1
        if args.seconds and step == CALIBRATION:
            warm = time.time()
        if args.seconds and step == 2 * CALIBRATION:
            # The rate falls over as many steps as fit into the time.
            now = time.time()
            left = args.seconds - (now - began)
            steps = step + max(int(left / (now - warm) * CALIBRATION), 1)
            schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps - step, args.last_rate)
            print(f"{steps} steps, {steps * args.batch / training.count:.1f} epochs", flush=True)
        if at + args.batch > training.count:
            if order is not None:
                epoch += 1
                loss, _ = validate(network, validation, scale, args.result_share, args.power)
                mean = sum_of_losses.item() / counted
                losses.append((mean, loss))
                print(f"epoch {epoch}: training {mean:.6f}, validation {loss[0]:.6f} "
                      f"(scores {loss[1]:.6f}, results {loss[2]:.6f}), {time.time() - began:.0f} s", flush=True)
                sum_of_losses.zero_()
                counted = 0
            order, at = torch.randperm(training.count, device=device), 0
        own, other, bucket, score, result = training.batch(order[at : at + args.batch])
        at += args.batch
        output = network(own, other, bucket)
        error = torch.sigmoid(output) - targets(score, result, scale, args.result_share)
        loss = error.abs().pow(args.power).mean() if args.power != 2 else error.square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        network.clip()
        sum_of_losses += loss.detach()
        counted += 1

    loss, outputs = validate(network, validation, scale, args.result_share, args.power)
    sane = validation.score.abs() < 500
    fit = (outputs[sane] * validation.score[sane]).sum() / validation.score[sane].square().sum()
    print(f"final validation {loss[0]:.6f} (scores {loss[1]:.6f}, results {loss[2]:.6f}), "
          f"slope of the output against the scores {fit.item():.3f}, {time.time() - began:.0f} s")
    weights = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
    weights["features.weight"] = weights["features.weight"][:, :FEATURES]
    description = {
        "scale": scale,
        "slope": fit.item(),
        "positions": training.count,
        "losses": losses,
        "final": loss,
        "arguments": vars(args),
    }
    np.savez(f"{args.out}.npz", description=json.dumps(description), **weights)


if __name__ == "__main__":
    main()
