#!/usr/bin/env bash
# `onefold check` in full: every operation and type in every way that this machine offers. Builds with sanitizers, in
# which it would take long, run parts of it among the transcripts.
set -euo pipefail
[ -n "${ONEFOLD_COMMAND:-}" ] || exit 77
"$ONEFOLD_COMMAND" check
