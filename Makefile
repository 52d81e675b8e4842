# make check runs what CI runs.

.PHONY: check format test nocgo

check: export GOSPMD_LONG_TESTS = 1
check: format test nocgo

format:
	@test -z "$$(gofmt -l .)" || { echo "gofmt: these files are not formatted:"; gofmt -l .; exit 1; }
	go vet ./...
	go tool staticcheck ./...

test:
	go test ./...

# Everything but the PJRT engine builds without a C compiler, and what depends on cgo is
# tested without.
nocgo:
	CGO_ENABLED=0 go build ./...
	CGO_ENABLED=0 go test $$(.ci/cgo-packages)
