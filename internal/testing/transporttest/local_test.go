package transporttest_test

import (
	"testing"

	"github.com/gospmd/gospmd/internal/testing/transporttest"
	"github.com/gospmd/gospmd/runtime/transport"
)

func TestLocal(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return transporttest.Local(n) })
}
