package main

func (r *Results) plot(string) error { return nil }
