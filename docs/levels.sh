#!/bin/sh
# Plays the matches behind the tables of levels in docs/engine.md and training/NOTEBOOK.md, and rates the players by them.
#
#     docs/levels.sh                   # every match
#     docs/levels.sh 20                # with this many games each
#     docs/levels.sh 60 levels         # or only levels, full, anchors, others or ratings
#     docs/levels.sh 400 old           # each level against itself in an earlier build, OLD=PROGRAM
#     docs/levels.sh --rate FILE...    # rates the players by the results of earlier runs
#
# Everything is counted in nodes and plies, so the results are the same on every machine, but
# for those of Stockfish, whose weaker levels throw dice, and nothing is lost by running it beside other
# work. Each match is a line: both players, games, wins, draws and losses of the first, the difference
# in Elo and the ends of its 95 % interval; the lines go to stdout as they come, and the ratings last,
# each with its 95 % error as seen from level 5, where the games of the group connect all players with it.
#
# BUILT=FOLDER uses the tabiya and the examples/anchor in a folder instead of building them. SEED=N plays other games.
#
# Needed: stockfish and gnuchess on PATH for the group "others".
set -eu

# Ratings by maximum likelihood, a draw as half a win, moved so that level 5 has 1800.
rate() {
    awk -F '\t' '
        function expected(d) { return 1 / (1 + exp(-d * log(10) / 400)) }
        NF >= 6 && $3 > 0 { n++; a[n] = $1; b[n] = $2; games[n] = $3; points[n] = $4 + $5 / 2; r[$1] += 0; r[$2] += 0 }
        END {
            little = 0.02
            for (round = 0; round < 5000; round++) {
                for (p in r) { sum[p] = 0; weight[p] = 0 }
                for (i = 1; i <= n; i++) {
                    e = expected(r[a[i]] - r[b[i]])
                    # As if a small part of one more game had been drawn: a player that lost every game has a
                    # rating, too. More than that would draw players together that are far apart.
                    miss = points[i] + little / 2 - (games[i] + little) * e
                    w = (games[i] + little) * e * (1 - e) * log(10) / 400
                    sum[a[i]] += miss; sum[b[i]] -= miss; weight[a[i]] += w; weight[b[i]] += w
                }
                for (p in r) if (weight[p] > 0) r[p] += sum[p] / weight[p] / 2
            }
            anchor = ("bot:5" in r) ? r["bot:5"] : 0
            # How certain the ratings are: the inverse of what the games say about them (Gauss-Jordan).
            for (p in r) if (p != "bot:5") player[++count] = p
            for (p = 1; p <= count; p++) {
                place[player[p]] = p
                for (q = 1; q <= 2 * count; q++) m[p, q] = (q == count + p)
            }
            for (i = 1; i <= n; i++) {
                e = expected(r[a[i]] - r[b[i]])
                w = (games[i] + little) * e * (1 - e) * (log(10) / 400) ^ 2
                p = place[a[i]]; q = place[b[i]]
                if (p) m[p, p] += w
                if (q) m[q, q] += w
                if (p && q) { m[p, q] -= w; m[q, p] -= w }
            }
            for (p = 1; p <= count; p++) said[p] = m[p, p]
            unknown = !("bot:5" in r)
            for (p = 1; p <= count && !unknown; p++) {
                pivot = m[p, p]
                # Players that no chain of games connects with level 5 cannot be compared with it.
                if (pivot < 1e-9 * said[p]) { unknown = 1; break }
                for (k = 1; k <= 2 * count; k++) m[p, k] /= pivot
                for (q = 1; q <= count; q++) {
                    factor = m[q, p]
                    if (q != p && factor != 0) for (k = 1; k <= 2 * count; k++) m[q, k] -= factor * m[p, k]
                }
            }
            for (p in r) {
                error = "-"
                if (!unknown) error = p == "bot:5" ? 0 : sprintf("%.0f", 1.96 * sqrt(m[place[p], count + place[p]]))
                printf "%s\t%.0f\t%s\n", p, r[p] - anchor + 1800, error
            }
        }' "$@" | sort -t "$(printf '\t')" -k 2 -n
}

if [ "${1:-}" = --rate ]; then
    shift
    rate "$@"
    exit
fi
cd "$(dirname "$0")/.."
games=${1:-100}
group=${2:-all}
built=${BUILT:-}
seed=${SEED:-2026}
if [ -z "$built" ]; then
    cargo build --quiet --release -p tabiya
    cargo build --quiet --release -p tabiya-engine --example anchor
    built=${CARGO_TARGET_DIR:-target}/release
fi
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# One match: both players, then what the others than levels may spend on a move.
play() {
    a=$1
    b=$2
    shift 2
    "$built/tabiya" match "$a" "$b" "$@" --games "$games" --seed "$seed" --json | awk -v a="$a" -v b="$b" '
        function field(name) { match($0, "\"" name "\":-?[0-9.]+|\"" name "\":null"); return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) }
        /"event":"score"/ {
            OFS = "\t"
            print a, b, field("games"), field("wins"), field("draws"), field("losses"), field("elo"), field("elo_low"), field("elo_high")
        }' | sed "s|$built/examples/||g; s|$built/||g" | tee -a "$results"
}

# A level against each of those below it. What is three levels apart says little, for the weaker one hardly
# ever scores: a fifth of the games will do.
if [ "$group" = all ] || [ "$group" = levels ]; then
    all_games=$games
    for level in 2 3 4 5 6 7 8 9; do
        other=$level
        while [ "$other" -gt 1 ]; do
            other=$((other - 1))
            [ $((level - other)) -le 2 ] || games=$((all_games / 5 / 2 * 2))
            play "bot:$level" "bot:$other" --nodes 1
        done
        games=$all_games
    done
fi
# Full strength has what the clock gives it; here it is limited to this many nodes.
if [ "$group" = all ] || [ "$group" = full ]; then
    play bot:10 bot:9 --nodes 200000
    play bot:10 bot:8 --nodes 200000
fi
# Ratings between the levels, as UCI_Elo asks for them, each against the limited levels beside it.
if [ "$group" = all ] || [ "$group" = ratings ]; then
    for pair in 650:1 650:2 1325:3 1325:4 1950:5 1950:6 2600:7 2600:8 3150:9; do
        rated="uci:$built/tabiya uci?UCI_LimitStrength=true&UCI_Elo=${pair%:*}&Seed=2026"
        play "$rated" "bot:${pair#*:}" --nodes 1000000
    done
fi
# What a level was in an earlier build, found there by its rating, against what it is in this one.
if [ "$group" = old ]; then
    for elo in 500 850 1200 1450 1800 2100 2450 2750 2950; do
        limited="UCI_LimitStrength=true&UCI_Elo=$elo"
        play "uci:$built/tabiya uci?$limited&Seed=11" "uci:$OLD uci?$limited&Seed=12" --nodes 1000000
    done
fi
if [ "$group" = all ] || [ "$group" = anchors ]; then
    play bot:1 "uci:$built/examples/anchor random" --nodes 1
    for level in 1 2 3 4; do
        play "bot:$level" "uci:$built/examples/anchor careful" --nodes 1
    done
fi
if [ "$group" = all ] || [ "$group" = others ]; then
    for level in 3 4 5; do play "bot:$level" "uci:stockfish?Skill Level=0" --nodes 10000; done
    for level in 5 6; do play "bot:$level" "uci:stockfish?Skill Level=3" --nodes 10000; done
    for level in 7 8 9; do play "bot:$level" "uci:stockfish?Skill Level=8" --nodes 10000; done
    for level in 5 6; do play "bot:$level" "uci:gnuchess --uci" --depth 3; done
fi
echo
rate "$results"
