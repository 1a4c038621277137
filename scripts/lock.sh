#!/bin/sh
# Write both locks anew from pyproject.toml: every package pinned with its hashes, no download address.
set -eu
cd "$(dirname "$0")/.."
for pair in "dev requirements.txt" "bench requirements-bench.txt"; do
    set -- $pair
    echo "lock: $2"
    .venv/bin/pip-compile --quiet --extra "$1" --allow-unsafe --generate-hashes --strip-extras \
        --no-emit-index-url --no-emit-find-links --output-file "$2" pyproject.toml
done
