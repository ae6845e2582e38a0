#!/usr/bin/env bash
# golden.txt is what the reference says, to the byte.
set -euo pipefail
"$ONEFOLD_BUILD/tests/generate_golden" | diff "$ONEFOLD_SOURCE/tests/golden/golden.txt" -
echo "1 passed, 0 failed"
