#!/usr/bin/env bash
# Each fuzz target for some seconds, always with the same seed.
. "$(dirname "$0")/common.sh"
if rustc +nightly --version >/dev/null 2>&1; then
    FUZZ_SEED=1 testing/fuzz/run.sh "${1:-5}"
else
    echo 'no nightly toolchain: the fuzz targets were not run, only their properties in the tests'
fi
