#!/usr/bin/env bash
# How much of rules and game the tests that everyone has run: testing/coverage.sh. It needs the tools of LLVM, which
# .ci/prepare.sh installs.
. "$(dirname "$0")/common.sh"
env -u TABIYA_SUITES testing/coverage.sh --check
