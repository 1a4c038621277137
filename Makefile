.PHONY: setup
setup:
	@sh scripts/setup.sh
