# make check runs what CI runs.

SHELL = bash

.PHONY: check fresh format test nocgo

check: export GOSPMD_LONG_TESTS = 1
check: fresh format test nocgo

# README's commands, on a machine without what this one has installed.
fresh:
	.ci/fresh

format:
	@test -z "$$(gofmt -l .)" || { echo "gofmt: these files are not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

test:
	set -o pipefail; go test -json ./... | go run ./internal/testsummary

# Everything but the PJRT engine builds without a C compiler, and what depends on cgo is
# tested without.
nocgo:
	CGO_ENABLED=0 go build ./...
	set -o pipefail; CGO_ENABLED=0 go test -json $$(.ci/cgo-packages) | go run ./internal/testsummary
