"""Benchmarks: what is compared is measured in one run; ``python -m benchmarks`` writes results.md with the machine."""
