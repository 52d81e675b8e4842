package saving

// This file describes schedules of the learning rate, and makes them.

import (
	"fmt"

	"github.com/gospmd/gospmd/keras/optimizers"
)

func encodeSchedule(s optimizers.Schedule) (*object, error) {
	var class string
	var c map[string]any
	switch s := s.(type) {
	case optimizers.ExponentialDecay:
		class, c = "ExponentialDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "decay_rate": s.DecayRate, "staircase": s.Staircase}
	case optimizers.InverseTimeDecay:
		class, c = "InverseTimeDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "decay_rate": s.DecayRate, "staircase": s.Staircase}
	case optimizers.PolynomialDecay:
		power := s.Power
		if power == 0 {
			power = 1
		}
		class, c = "PolynomialDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "end_learning_rate": s.EndLearningRate, "power": power, "cycle": s.Cycle}
	case optimizers.CosineDecay:
		var target any
		if s.WarmupSteps > 0 {
			target = s.WarmupTarget
		}
		class, c = "CosineDecay", map[string]any{"initial_learning_rate": s.InitialLearningRate, "decay_steps": s.DecaySteps, "alpha": s.Alpha, "warmup_target": target, "warmup_steps": s.WarmupSteps}
	case optimizers.PiecewiseConstantDecay:
		class, c = "PiecewiseConstantDecay", map[string]any{"boundaries": s.Boundaries, "values": s.Values}
	default:
		return nil, fmt.Errorf("the schedule %T is your own and cannot be written into a %s archive", s, archiveSuffix)
	}
	c["name"] = class
	return &object{Module: "keras.optimizers.schedules", ClassName: class, Config: c}, nil
}

// schedules makes schedules by Keras' names.
var schedules = map[string]func(r *reader) optimizers.Schedule{
	"ExponentialDecay": func(r *reader) optimizers.Schedule {
		return optimizers.ExponentialDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), DecayRate: r.float("decay_rate"), Staircase: r.bool("staircase")}
	},
	"InverseTimeDecay": func(r *reader) optimizers.Schedule {
		return optimizers.InverseTimeDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), DecayRate: r.float("decay_rate"), Staircase: r.bool("staircase")}
	},
	"PolynomialDecay": func(r *reader) optimizers.Schedule {
		return optimizers.PolynomialDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), EndLearningRate: r.float("end_learning_rate"), Power: r.float("power"), Cycle: r.bool("cycle")}
	},
	"CosineDecay": func(r *reader) optimizers.Schedule {
		return optimizers.CosineDecay{InitialLearningRate: r.float("initial_learning_rate"), DecaySteps: r.int("decay_steps"), Alpha: r.float("alpha"), WarmupTarget: r.float("warmup_target"), WarmupSteps: r.int("warmup_steps")}
	},
	"PiecewiseConstantDecay": func(r *reader) optimizers.Schedule {
		return optimizers.PiecewiseConstantDecay{Boundaries: r.ints("boundaries"), Values: r.floats("values")}
	},
}

func decodeSchedule(v any) (optimizers.Schedule, error) {
	class, config, err := classAndConfig(v)
	if err != nil {
		return nil, err
	}
	make, ok := schedules[class]
	if !ok {
		return nil, unknown("schedule of the learning rate", class, schedules)
	}
	r := newReader(class, config)
	r.skip("name")
	s := make(r)
	return s, r.done()
}
