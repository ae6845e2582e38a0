#!/usr/bin/env bash
# Measures Onefold beside its peers: prints a table, and writes it with what it ran on to bench.json in the build folder.
#
#     bench/run.sh                     everything: about half an hour on a quiet machine
#     bench/run.sh --quick             smaller arrays and fewer turns, to try it out
#     bench/run.sh [--quick] SUITE...  some of those in bench/suites.def and PEERS of bench/report.py
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${ONEFOLD_BUILD:-$bench/../build/release}")
python=${ONEFOLD_PYTHON:-$bench/../.venv/bin/python}

efforts=() suites=() peers=() keep=(--json "$build/bench.json")
for argument in "$@"; do
    case $argument in
    --tiny) efforts+=("$argument") keep=() ;; # shows that everything runs
    --*) efforts+=("$argument") ;;
    peers | exact | *-peers) peers+=("$argument") ;;
    *) suites+=("$argument") ;;
    esac
done

# Suites of one kind alone leave out the other kind.
measure() {
    if [ ${#suites[@]} -gt 0 ] || [ ${#peers[@]} -eq 0 ]; then
        "$build/bench/onefold_bench" "${efforts[@]}" "${suites[@]}"
    fi
    if [ ${#peers[@]} -gt 0 ] || [ ${#suites[@]} -eq 0 ]; then
        ONEFOLD_BUILD=$build "$python" "$bench/peers.py" "${efforts[@]}" "${peers[@]}"
    fi
}

measure | "$python" "$bench/report.py" "${keep[@]}"
