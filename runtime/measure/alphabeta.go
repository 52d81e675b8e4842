package measure

// This file fits a latency and a bandwidth to measured times of messages.

// sample is the size of a message that a device has sent, and its time.
type sample struct{ bytes, seconds float64 }

// alphaBeta returns the α, in seconds, and β, in bytes per second, of seconds = α + bytes/β that
// fit the samples best. It minimizes the squares of relative errors, so that short messages count
// as much as long ones. α is not negative; it is 0 if all messages have one size.
func alphaBeta(samples []sample) (latency, bandwidth float64) {
	var s, sn, snn, st, snt float64 // sums of 1, n, n², t, n·t, each by t²
	for _, x := range samples {
		w := 1 / (x.seconds * x.seconds)
		s += w
		sn += w * x.bytes
		snn += w * x.bytes * x.bytes
		st += w * x.seconds
		snt += w * x.bytes * x.seconds
	}
	if d := s*snn - sn*sn; d > 0 {
		latency = (snn*st - sn*snt) / d
		if perByte := (s*snt - sn*st) / d; perByte > 0 && latency >= 0 {
			return latency, 1 / perByte
		}
	}
	return 0, snn / snt // a line through the origin
}
