package transporttest_test

import (
	"testing"

	"github.com/gospmd/gospmd/runtime/transport"
	"github.com/gospmd/gospmd/runtime/transport/transporttest"
)

func TestLocal(t *testing.T) {
	transporttest.Run(t, func(t *testing.T, n int) []transport.Transport { return transporttest.Local(n) })
}
