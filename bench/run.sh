#!/usr/bin/env bash
# Measures Onefold beside its peers: prints a table, and writes it with what it ran on to bench.json in the build folder.
#
#     bench/run.sh                     everything: about ten minutes on a quiet machine
#     bench/run.sh --quick             smaller arrays and fewer turns, to try it out
#     bench/run.sh [--quick] SUITE...  some of: reduce dims dims-new cache small scaling peers
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${ONEFOLD_BUILD:-$bench/../build/release}")
python=${ONEFOLD_PYTHON:-$bench/../.venv/bin/python}

efforts=() suites=() peers= keep=(--json "$build/bench.json")
for argument in "$@"; do
    case $argument in
    --tiny) efforts+=("$argument") keep=() ;; # shows that everything runs
    --*) efforts+=("$argument") ;;
    peers) peers=yes ;;
    *) suites+=("$argument") ;;
    esac
done
[ $# -gt ${#efforts[@]} ] || peers=yes

measure() {
    if [ ${#suites[@]} -gt 0 ] || [ $# -eq ${#efforts[@]} ]; then
        "$build/bench/onefold_bench" "${efforts[@]}" "${suites[@]}"
    fi
    [ -z "$peers" ] || "$python" "$bench/peers.py" "$build/src/libonefold.so" "${efforts[@]}"
}

measure "$@" | "$python" "$bench/report.py" "${keep[@]}"
