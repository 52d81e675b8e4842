package goengine

import "github.com/gospmd/gospmd/runtime/goengine/interp"

func segment(*interp.Code) error { return nil }
