# Installs into an empty folder and builds a user's program against it, found by CMake and by pkg-config.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix
source=$ONEFOLD_SOURCE/tests/project/consumer

cmake --install "$ONEFOLD_BUILD" --prefix "$prefix" >/dev/null

expect_answer() {
    answer=$("$@")
    echo "$1: $answer"
    [ "$answer" = "0.1.0 2" ]
}

cmake -G Ninja -S "$source" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror"
cmake --build "$folder/build"
expect_answer "$folder/build/consumer_of_onefold"
expect_answer "$folder/build/consumer_of_onefold_static"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name onefold.pc)")
export PKG_CONFIG_PATH
pkg-config --print-errors --exists onefold
read -ra flags < <(pkg-config --cflags --libs onefold)
$CC -std=c17 "$source/consumer.c" -o "$folder/consumer" "${flags[@]}"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir onefold) expect_answer "$folder/consumer"

# The headers serve C++ too.
echo '#include <onefold/onefold.h>' | c++ -x c++ -Wall -Wextra -Werror -fsyntax-only "${flags[@]}" -

# Nothing but the public functions may leave the shared library.
exported=$(nm --dynamic --defined-only "$(find "$prefix" -name libonefold.so)" | awk '{ print $3 }')
grep -q '^of_version$' <<<"$exported"
if grep -v '^of_[a-z]' <<<"$exported"; then
    echo "these symbols are exported and should not be"
    exit 1
fi
