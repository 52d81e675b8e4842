# make quick while you work, make check before a commit, make ci for all that CI runs.

SHELL = bash

.PHONY: quick check ci format test nocgo

# The graph, propagation, partitioning and the engine in Go.
QUICK = . ./mesh/... ./layout/... ./ir/... ./trace/... ./sharding/... ./compile/... ./program/... ./target/... ./runtime/goengine/... ./cmd/gospmd/internal/...

quick:
	@test -z "$$(gofmt -l .)" || { echo "gofmt: these files are not formatted:"; gofmt -l .; exit 1; }
	go vet $(QUICK)
	set -o pipefail; go test -json $(QUICK) | go run ./internal/testing/testsummary

check: format test nocgo

ci:
	CI=true .ci/run

format:
	@test -z "$$(gofmt -l .)" || { echo "gofmt: these files are not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

test:
	set -o pipefail; go test -json ./... | go run ./internal/testing/testsummary

# All packages build without a C compiler.
nocgo:
	CGO_ENABLED=0 go build ./...
