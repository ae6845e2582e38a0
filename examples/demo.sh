#!/usr/bin/env bash
# Shows Onefold at work on real data, beside ordinary sums. Fails when a bit of an answer differs.
set -euo pipefail
examples=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${ONEFOLD_BUILD:-$examples/../build/release}")
onefold=$(realpath "${ONEFOLD_COMMAND:-$build/bin/onefold}")
python=${ONEFOLD_PYTHON:-$examples/../.venv/bin/python}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" "$examples/geoid.py" "$folder/geoid.npy"

cat <<'END'
The geoid is where the sea would be if it lay at rest all around the globe.
These are its heights in metres, every quarter of a degree (EGM96, from Debian's
package proj-data). What Onefold finds in one pass over them:

$ onefold stats geoid.npy
END
(cd "$folder" && "$onefold" stats geoid.npy)
echo
"$python" "$examples/compare_sums.py" "$onefold" "$folder/geoid.npy"

cat <<'END'

The same from Python, by zones of latitude (examples/geoid_zones.py):

END
PYTHONPATH=$build/python "$python" "$examples/geoid_zones.py" "$folder/geoid.npy"
