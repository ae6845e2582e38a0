#!/usr/bin/env bash
# Runs the tests of one build folder, several at once, and leaves their report in FOLDER/junit.xml.
#
#     tools/run_tests.sh FOLDER JOBS [ctest options]
set -euo pipefail
folder=$1 jobs=$2
shift 2

# Tests ask for more memory than there is, to see it refused; a sanitizer must refuse it too, not stop.
export ASAN_OPTIONS=${ASAN_OPTIONS-allocator_may_return_null=1:detect_stack_use_after_return=1:strict_string_checks=1}
export TSAN_OPTIONS=${TSAN_OPTIONS-allocator_may_return_null=1:halt_on_error=1:second_deadlock_stack=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}

# The thread sanitizer does not start where the kernel spreads addresses wider than it expects.
fixed_addresses=()
if grep -q '^ONEFOLD_SANITIZE:.*thread' "$folder/CMakeCache.txt" && setarch -R true 2>/dev/null; then
    fixed_addresses=(setarch -R)
fi

# The whole output goes to the report: the number of cases that a program ran stands at its end.
exec "${fixed_addresses[@]}" ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure --no-tests=error \
    --test-output-size-passed 10000000 --output-junit junit.xml "$@"
