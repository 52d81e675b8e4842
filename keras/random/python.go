package random

// This file implements the generator behind Python's random module, from which
// Keras draws the seeds that no one gave: the Mersenne Twister MT19937
// (Matsumoto and Nishimura, 1998).

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

const (
	twisterSize   = 624
	twisterMiddle = 397
)

// pythonRandom gives the numbers of a random.Random.
type pythonRandom struct {
	state [twisterSize]uint32
	used  int // words of state given out
}

// newPythonRandom returns the generator that random.seed makes of the integer
// whose 32-bit words, low ones first, are key.
func newPythonRandom(key ...uint32) *pythonRandom {
	p := &pythonRandom{used: twisterSize}
	s := &p.state
	s[0] = 19650218
	for i := 1; i < twisterSize; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	// Two rounds stir the key in, then the words among themselves.
	i := 1
	stir := func(factor uint32, add uint32) {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*factor) + add
		if i++; i == twisterSize {
			s[0], i = s[twisterSize-1], 1
		}
	}
	for n := range max(twisterSize, len(key)) {
		j := n % len(key)
		stir(1664525, key[j]+uint32(j))
	}
	for range twisterSize - 1 {
		stir(1566083941, -uint32(i))
	}
	s[0] = 1 << 31
	return p
}

// entropy returns words for a seed that nobody can predict.
func entropy() []uint32 {
	var b [32]byte
	rand.Read(b[:]) // never fails
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

func (p *pythonRandom) uint32() uint32 {
	if p.used == twisterSize {
		s := &p.state
		for i := range s {
			y := s[i]&(1<<31) | s[(i+1)%twisterSize]&(1<<31-1)
			s[i] = s[(i+twisterMiddle)%twisterSize] ^ y>>1 ^ -(y&1)&0x9908b0df
		}
		p.used = 0
	}
	y := p.state[p.used]
	p.used++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// randint returns a number in [low, high]: draws of as many bits as the width
// needs, until one is within it. The width must need no more than 32 bits.
func (p *pythonRandom) randint(low, high int) int {
	width := high - low + 1
	for {
		if n := int(p.uint32() >> (32 - bits.Len(uint(width)))); n < width {
			return low + n
		}
	}
}
