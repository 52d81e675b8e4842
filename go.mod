module github.com/gospmd/gospmd

go 1.26.5

require (
	github.com/gomlx/compute v0.1.4
	github.com/gomlx/go-xla v0.4.1
	github.com/gomlx/gomlx v0.28.2
	github.com/stretchr/testify v1.12.1
)
