#!/bin/sh
# rustdoc of the stable toolchain with its JSON output, which is not stable itself, allowed. Only rustdoc is run so: what it
# reads was compiled as always.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
