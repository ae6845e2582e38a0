#!/usr/bin/env bash
# Makes the pages of docs/ in FOLDER/html; any warning is an error.
#
#     tools/make_docs.sh FOLDER
set -euo pipefail
folder=$(realpath -m "$1")
cd "$(dirname "$0")/.."

.venv/bin/python -m sphinx --quiet --fail-on-warning -d "$folder/doctrees" docs "$folder/html"
echo "$folder/html/index.html"
