package random

// This file defines Key and the block function that all numbers come from.

import "math/bits"

// Key is the key of one stream of random numbers. Equal keys give equal
// numbers; every operation needs a key of its own.
type Key [2]uint32

// rotations are Threefry-2x32's, four rounds each, used in turn.
var rotations = [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}

// parity makes the third word of the key schedule (Salmon et al. 2011, §3.3).
const parity = 0x1BD11BDA

// Block encrypts the counter (hi, lo) under the key: Threefry-2x32 with 20
// rounds (Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011).
func (k Key) Block(hi, lo uint32) (uint32, uint32) {
	s := k.schedule()
	return s.block(hi, lo)
}

// schedule holds the words that are added to the counter before the first round
// and after every fourth one.
type schedule [6][2]uint32

func (k Key) schedule() *schedule {
	words := [3]uint32{k[0], k[1], k[0] ^ k[1] ^ parity}
	s := new(schedule)
	for i := range s {
		s[i] = [2]uint32{words[i%3], words[(i+1)%3] + uint32(i)}
	}
	return s
}

// mix is one round.
func mix(a, b uint32, rotation int) (uint32, uint32) {
	a += b
	return a, bits.RotateLeft32(b, rotation) ^ a
}

func (s *schedule) block(hi, lo uint32) (uint32, uint32) {
	a, b := hi+s[0][0], lo+s[0][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[1][0], b+s[1][1]
	a, b = mix(a, b, 17)
	a, b = mix(a, b, 29)
	a, b = mix(a, b, 16)
	a, b = mix(a, b, 24)
	a, b = a+s[2][0], b+s[2][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[3][0], b+s[3][1]
	a, b = mix(a, b, 17)
	a, b = mix(a, b, 29)
	a, b = mix(a, b, 16)
	a, b = mix(a, b, 24)
	a, b = a+s[4][0], b+s[4][1]
	a, b = mix(a, b, 13)
	a, b = mix(a, b, 15)
	a, b = mix(a, b, 26)
	a, b = mix(a, b, 6)
	a, b = a+s[5][0], b+s[5][1]
	return a, b
}

// Split derives n keys, as jax.random.split does.
func (k Key) Split(n int) []Key {
	keys := make([]Key, n)
	for i := range keys {
		keys[i][0], keys[i][1] = k.Block(0, uint32(i))
	}
	return keys
}

// FoldIn derives a key from this one and a number, as jax.random.fold_in does.
func (k Key) FoldIn(data uint32) Key {
	a, b := k.Block(0, data)
	return Key{a, b}
}
