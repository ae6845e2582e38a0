#!/usr/bin/env bash
# Installs what Onefold's build needs and is missing: Debian packages (when root, else it says how) and a Python
# environment in .venv. Quick when nothing is missing.
#
#     tools/setup.sh            for building, tests, pages and the demo
#     tools/setup.sh bench      also what the benchmarks compare with
set -euo pipefail
cd "$(dirname "$0")/.."

package_lists=(tools/debian-packages.txt)
requirement_lists=(tools/python-requirements.txt tools/docs-requirements.txt)
if [ "${1-}" = bench ]; then
    package_lists+=(tools/bench-packages.txt)
    requirement_lists+=(tools/bench-requirements.txt)
fi

entries() {
    sed -e 's/#.*//' "$@" | awk 'NF { print $1 }'
}

missing_packages() {
    entries "${package_lists[@]}" | while read -r package; do
        status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || echo "$package"
    done
}

install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        echo "setup: not a Debian system; it has to provide: $(entries "${package_lists[@]}" | xargs)" >&2
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages)
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        echo "setup: packages are missing. Run this, then try again:" >&2
        echo "    sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # A stale mirror of something else on the machine must not stop us: the install below decides.
    apt-get -q -o DPkg::Lock::Timeout=600 update || true
    apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends "${missing[@]}" </dev/null
}

# The stamp holds the lists that the environment was made from.
install_python() {
    local stamp=.venv/onefold-$1 list=$2
    cmp -s "$list" "$stamp" && return
    [ -x .venv/bin/python ] || /usr/bin/python3 -m venv --clear .venv
    echo "setup: installing $(entries "$list" | xargs) into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r "$list"
    cp "$list" "$stamp"
}

install_packages
for list in "${requirement_lists[@]}"; do
    install_python "$(basename "$list")" "$list"
done
