"""Writes what Keras on JAX computes for layers, losses, metrics and training.

Every file holds its inputs too, so that a test needs nothing but the file.
Numbers are the shortest text that gives the same float32 back.

    KERAS_BACKEND=jax python training_reference.py [-o FOLDER]

writes activations.json, losses.json, metrics.json, optimizers.json, multi.json, mixed.json,
fit.json, outputs.json, named.json, summaries.json, limits.json and steps.json.
"""

import argparse
import os

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import keras
import numpy as np
from keras import layers

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/testdata/reference")


def numbers(seed, *shape):
    """Returns normal numbers with few digits, so that the files stay small."""
    return np.round(np.random.default_rng(seed).standard_normal(shape), 2).astype(np.float32)


# Activations.

ELEMENTWISE = [
    "relu", "leaky_relu", "relu6", "celu", "elu", "selu", "softplus", "softsign",
    "squareplus", "soft_shrink", "sparse_plus", "silu", "gelu", "tanh",
    "tanh_shrink", "sigmoid", "sparse_sigmoid", "exponential", "hard_sigmoid",
    "hard_silu", "hard_tanh", "hard_shrink", "linear", "mish", "log_sigmoid",
]  # fmt: skip
ROWS = ["softmax", "log_softmax", "sparsemax"]


def activation(name, x, **params):
    """Returns value and gradient of sum(activation(x) * cotangent)."""
    fn = getattr(keras.activations, name)
    cotangent = np.linspace(0.5, 1.5, x.size, dtype=np.float32).reshape(x.shape)
    value, pullback = jax.vjp(lambda v: fn(v, **params), jnp.asarray(x))
    return {
        "name": name, "params": params, "x": floats(x), "cotangent": floats(cotangent),
        "value": floats(value), "gradient": floats(pullback(jnp.asarray(cotangent))[0]),
    }  # fmt: skip


def activations():
    x = np.array([-30, -4, -3, -1, -0.5, -0.0, 0, 0.25, 0.5, 1, 2.5, 3, 6, 7, 30], np.float32)
    rows = np.array([[0, 0, 0, 0], [1, 2, 3, 4], [-2, 0.5, 100, 3], [5, 5, -5, 1]], np.float32)
    cases = [activation(name, x) for name in ELEMENTWISE]
    cases += [
        activation("gelu", x, approximate=True),
        activation("gelu", x, approximate=False),
        activation("leaky_relu", x, negative_slope=0.01),
        activation("relu", x, negative_slope=0.1, max_value=5.0, threshold=0.5),
        activation("elu", x, alpha=0.5),
        activation("threshold", x, threshold=0.5, default_value=-1.0),
    ]
    cases += [activation(name, rows) for name in ROWS]
    return {"cases": cases}


# Losses.


def loss_case(name, y_true, y_pred, sample_weight=None, **params):
    """Returns the reduced loss, its value per sample, and its gradient."""
    def build(**more):
        return getattr(keras.losses, name)(**{**params, **more})

    def scalar(p):
        return build()(jnp.asarray(y_true), p, sample_weight)

    value, gradient = jax.value_and_grad(scalar)(jnp.asarray(y_pred))
    return {
        "name": name, "params": params, "y_true": floats(y_true), "y_pred": floats(y_pred),
        "sample_weight": None if sample_weight is None else floats(sample_weight),
        "value": floats(value), "gradient": floats(gradient),
        "per_sample": floats(build(reduction="none")(jnp.asarray(y_true), jnp.asarray(y_pred))),
    }  # fmt: skip


def losses():
    real, guess = numbers(1, 4, 3), numbers(2, 4, 3)
    logits = 2 * numbers(3, 4, 5)
    probabilities = np.asarray(jax.nn.softmax(logits))
    labels = np.array([0, 4, 2, 2], np.int32)
    one_hot = np.eye(5, dtype=np.float32)[labels]
    bits = np.array([[0, 1, 1], [1, 0, 0], [1, 1, 1], [0, 0, 0]], np.float32)
    chances = np.array([[0.1, 0.9, 0.5], [0.999, 0.001, 0.3], [1, 0, 0.6], [0, 1, 0.2]], np.float32)
    cases = [
        loss_case(name, real, guess)
        for name in [
            "MeanSquaredError", "MeanAbsoluteError", "MeanAbsolutePercentageError",
            "MeanSquaredLogarithmicError", "Huber", "LogCosh", "CosineSimilarity",
        ]
    ]  # fmt: skip
    for smoothing in [0.0, 0.1]:
        for p, from_logits in [(probabilities, False), (logits, True)]:
            cases.append(loss_case("CategoricalCrossentropy", one_hot, p, from_logits=from_logits, label_smoothing=smoothing))
        for p, from_logits in [(chances, False), (guess, True)]:
            cases.append(loss_case("BinaryCrossentropy", bits, p, from_logits=from_logits, label_smoothing=smoothing))
    for p, from_logits in [(probabilities, False), (logits, True)]:
        cases.append(loss_case("SparseCategoricalCrossentropy", labels, p, from_logits=from_logits))
    # Probabilities that are 0, 1, or do not add up to 1.
    odd = np.array([[1, 0, 0], [0.2, 0.2, 0.2], [0, 0, 1], [3, 1, 1]], np.float32)
    hot = np.eye(3, dtype=np.float32)[[0, 1, 1, 0]]
    cases.append(loss_case("CategoricalCrossentropy", hot, odd))
    cases.append(loss_case("SparseCategoricalCrossentropy", np.array([0, 1, 1, 0], np.int32), odd))
    cases += [
        loss_case("KLDivergence", probabilities, np.asarray(jax.nn.softmax(numbers(4, 4, 5)))),
        loss_case("Poisson", np.abs(real), np.abs(guess)),
        loss_case("Hinge", 2 * bits - 1, guess),
        loss_case("SquaredHinge", 2 * bits - 1, guess),
        loss_case("CategoricalHinge", one_hot, logits),
    ]
    weights = np.array([1, 2, 0, 0.5], np.float32)
    for reduction in ["sum", "sum_over_batch_size", "mean", "mean_with_sample_weight"]:
        for w in [None, weights]:
            cases.append(loss_case("MeanSquaredError", real, guess, w, reduction=reduction))
            cases.append(loss_case("SparseCategoricalCrossentropy", labels, logits, w, reduction=reduction, from_logits=True, ignore_class=2))
    for p, from_logits in [(probabilities, False), (logits, True)]:
        cases.append(loss_case("CategoricalFocalCrossentropy", one_hot, p, weights, from_logits=from_logits, label_smoothing=0.1))
        cases.append(loss_case("CategoricalFocalCrossentropy", one_hot, p, from_logits=from_logits, alpha=0.5, gamma=1.5))
    for p, from_logits in [(chances[:2], False), (guess[:2], True)]:
        cases.append(loss_case("BinaryFocalCrossentropy", bits[:2], p, from_logits=from_logits, label_smoothing=0.1))
        cases.append(loss_case("BinaryFocalCrossentropy", bits[:2], p, from_logits=from_logits, apply_class_balancing=True, alpha=0.3, gamma=1.5))
    cases += [
        loss_case("CategoricalGeneralizedCrossEntropy", labels, probabilities),
        loss_case("CategoricalGeneralizedCrossEntropy", labels, probabilities, weights, q=0.3),
        loss_case("Huber", real, 3 * guess, delta=0.7),
        loss_case("CosineSimilarity", real, guess, axis=0),
        loss_case("BinaryCrossentropy", bits, chances, axis=0),
    ]
    # Images of classes: along the last dimension, and along the second.
    images, picks = numbers(5, 2, 3, 4, 5), np.random.default_rng(6).integers(0, 5, (2, 3, 4)).astype(np.int32)
    hot = np.eye(5, dtype=np.float32)[picks]
    first = [np.moveaxis(v, -1, 1) for v in (hot, images)]
    cases += [
        loss_case("SparseCategoricalCrossentropy", picks, images, from_logits=True, ignore_class=0),
        loss_case("CategoricalCrossentropy", *first, from_logits=True, axis=1),
        loss_case("CategoricalFocalCrossentropy", *first, from_logits=True, axis=1),
    ]
    masks, areas = (hot > 0).astype(np.float32), np.asarray(jax.nn.sigmoid(images))
    for name, params in [("Dice", {}), ("Dice", {"axis": [1, 2, 3]}), ("Tversky", {}), ("Tversky", {"alpha": 0.7, "beta": 0.2, "axis": [1, 2]})]:
        cases.append(loss_case(name, masks, areas, **params))
    vectors = numbers(7, 6, 4)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    groups = np.array([0, 1, 0, 2, 1, 0], np.int32)
    cases += [
        loss_case("Circle", groups, vectors),
        loss_case("Circle", groups, vectors, gamma=8.0, margin=0.2, remove_diagonal=False),
        loss_case("CTC", np.array([[1, 2, 2, 3], [4, 1, 0, 0]], np.int32), numbers(8, 2, 7, 5)),
    ]
    return {"cases": cases}


# Metrics.


def metric_case(name, batches, **params):
    """Returns the result after each batch, and after reset and the last one."""
    metric = getattr(keras.metrics, name)(**params)
    results = []
    for y_true, y_pred, weights in batches:
        metric.update_state(y_true, y_pred, sample_weight=weights)
        results.append(floats(metric.result()))
    return {
        "name": name, "params": params, "results": results,
        "batches": [
            {"y_true": floats(t), "y_pred": floats(p), "sample_weight": None if w is None else floats(w)}
            for t, p, w in batches
        ],
    }  # fmt: skip


def metrics():
    logits = [2 * numbers(10 + i, n, 3) for i, n in enumerate([4, 4, 2])]
    logits[0][1] = [1, 1, 0]  # a tie
    probabilities = [np.asarray(jax.nn.softmax(v)) for v in logits]
    labels = [np.array(v, np.int32) for v in ([0, 1, 2, 2], [1, 1, 0, 2], [2, 0])]
    one_hot = [np.eye(3, dtype=np.float32)[v] for v in labels]
    bits = [(numbers(20 + i, n, 1) > 0).astype(np.float32) for i, n in enumerate([4, 4, 2])]
    chances = [np.array(jax.nn.sigmoid(numbers(30 + i, n, 1))) for i, n in enumerate([4, 4, 2])]
    chances[0][0] = 0.5  # on the threshold
    weights = [np.array(v, np.float32) for v in ([1, 2, 0, 0.5], [1, 1, 1, 1], [3, 0.25])]

    def batches(y_true, y_pred, weighted=False):
        return list(zip(y_true, y_pred, weights if weighted else [None] * 3))

    # Rows of several numbers, vectors of scores, and images of classes.
    rows = [numbers(60 + i, n, 3) for i, n in enumerate([4, 4, 2])]
    guesses = [numbers(70 + i, n, 3) for i, n in enumerate([4, 4, 2])]
    yes = [(v > 0).astype(np.float32) for v in rows]
    scores = [np.array(jax.nn.sigmoid(v)) for v in guesses]
    scores[1][0] = [0, 1, 0.5]
    ranks = [np.argsort(-v, axis=-1).astype(np.float32) for v in logits]
    areas = [np.random.default_rng(80 + i).integers(0, 3, (n, 2, 2)).astype(np.int32) for i, n in enumerate([4, 4, 2])]
    found = [np.random.default_rng(90 + i).integers(0, 3, (n, 2, 2)).astype(np.int32) for i, n in enumerate([4, 4, 2])]
    hot = [np.eye(3, dtype=np.float32)[v] for v in areas]
    likely = [np.eye(3, dtype=np.float32)[v] * 0.5 + 0.1 for v in found]
    counts = [(name, (yes, scores), params) for name in ["TruePositives", "FalsePositives", "TrueNegatives", "FalseNegatives", "Precision", "Recall"]
              for params in [{}, {"thresholds": [0.2, 0.5, 0.9]}]]
    at = [(name, (yes, scores), {key: value, **more}) for name, key, value in [
        ("SensitivityAtSpecificity", "specificity", 0.4), ("SpecificityAtSensitivity", "sensitivity", 0.6),
        ("PrecisionAtRecall", "recall", 0.6), ("RecallAtPrecision", "precision", 0.5)]
        for more in [{}, {"num_thresholds": 11, "class_id": 1}]]  # fmt: skip
    auc = [("AUC", (yes, scores), params) for params in [
        {}, {"num_thresholds": 7}, {"curve": "PR"}, {"curve": "PR", "summation_method": "minoring"}, {"curve": "PRGAIN", "summation_method": "majoring"},
        {"thresholds": [0.1, 0.35, 0.7]}, {"multi_label": True}, {"multi_label": True, "curve": "PR", "label_weights": [1.0, 2.0, 0.5]},
        {"label_weights": [1.0, 2.0, 0.5]}]]  # fmt: skip
    auc.append(("AUC", (yes, guesses), {"from_logits": True}))
    scored = [(name, (one_hot, probabilities), params) for name in ["F1Score", "FBetaScore"]
              for params in [{}, {"average": "micro"}, {"average": "macro", "threshold": 0.4}, {"average": "weighted"}]]
    more = counts + at + auc + scored + [
        ("Precision", (one_hot, probabilities), {"top_k": 2}),
        ("Recall", (one_hot, probabilities), {"top_k": 2, "class_id": 1}),
        ("Precision", (one_hot, probabilities), {"class_id": 0, "thresholds": 0.3}),
        ("FBetaScore", (one_hot, probabilities), {"average": "macro", "beta": 2.0}),
        ("R2Score", (rows, guesses), {}),
        ("R2Score", (rows, guesses), {"class_aggregation": "variance_weighted_average"}),
        ("R2Score", (rows, guesses), {"class_aggregation": None, "num_regressors": 1}),
        ("PearsonCorrelation", (rows, guesses), {}),
        ("ConcordanceCorrelation", (rows, guesses), {}),
        ("CosineSimilarity", (rows, guesses), {}),
        ("LogCoshError", (rows, guesses), {}),
        ("MeanAbsolutePercentageError", (rows, guesses), {}),
        ("MeanSquaredLogarithmicError", (rows, guesses), {}),
        ("KLDivergence", (one_hot, probabilities), {}),
        ("Poisson", (yes, scores), {}),
        ("Hinge", (yes, guesses), {}),
        ("SquaredHinge", (yes, guesses), {}),
        ("CategoricalHinge", (one_hot, logits), {}),
        ("SparseTopKCategoricalAccuracy", (labels, ranks), {"k": 2, "from_sorted_ids": True}),
        ("BinaryCrossentropy", (yes, guesses), {"from_logits": True, "label_smoothing": 0.1}),
        ("SparseCategoricalCrossentropy", (labels, logits), {"from_logits": True, "ignore_class": 1}),
    ]
    whole = [
        ("MeanIoU", (areas, found), {"num_classes": 3}),
        ("MeanIoU", (areas, found), {"num_classes": 3, "ignore_class": 1}),
        ("IoU", (areas, found), {"num_classes": 3, "target_class_ids": [0, 2]}),
        ("OneHotIoU", (hot, likely), {"num_classes": 3, "target_class_ids": [1]}),
        ("OneHotMeanIoU", (hot, likely), {"num_classes": 3}),
        ("BinaryIoU", (yes, scores), {}),
        ("BinaryIoU", (yes, scores), {"target_class_ids": [1], "threshold": 0.7}),
    ]
    cases = [metric_case(name, batches(*data, weighted), **params) for weighted in [False, True] for name, data, params in more]
    cases += [metric_case(name, batches(*data), **params) for name, data, params in whole]
    return {
        "cases": cases + [
            metric_case(name, batches(*data, weighted), **params)
            for weighted in [False, True]
            for name, data, params in [
                ("Accuracy", (labels, [v[::-1] for v in labels]), {}),
                ("BinaryAccuracy", (bits, chances), {}),
                ("BinaryAccuracy", (bits, chances), {"threshold": 0.3}),
                ("CategoricalAccuracy", (one_hot, probabilities), {}),
                ("SparseCategoricalAccuracy", (labels, probabilities), {}),
                ("TopKCategoricalAccuracy", (one_hot, probabilities), {"k": 2}),
                ("SparseTopKCategoricalAccuracy", (labels, probabilities), {"k": 2}),
                ("MeanSquaredError", (one_hot, probabilities), {}),
                ("RootMeanSquaredError", (one_hot, probabilities), {}),
                ("MeanAbsoluteError", (one_hot, probabilities), {}),
                ("CategoricalCrossentropy", (one_hot, probabilities), {}),
                ("CategoricalCrossentropy", (one_hot, logits), {"from_logits": True}),
                ("SparseCategoricalCrossentropy", (labels, probabilities), {}),
                ("BinaryCrossentropy", (bits, chances), {}),
            ]
        ]
    }


# Optimizers.

OPTIMIZERS = [
    ("SGD", {}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("RMSprop", {}),
    ("RMSprop", {"learning_rate": 0.01, "momentum": 0.9}),
    ("RMSprop", {"learning_rate": 0.01, "centered": True}),
    ("RMSprop", {"learning_rate": 0.01, "rho": 0.8, "momentum": 0.5, "centered": True}),
    ("Adam", {}),
    ("Adam", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.95, "epsilon": 1e-6}),
    ("Adam", {"learning_rate": 0.05, "amsgrad": True}),
    ("AdamW", {"learning_rate": 0.01}),
    ("SGD", {"learning_rate": 0.1, "weight_decay": 0.05}),
    ("SGD", {"learning_rate": 0.1, "clipnorm": 0.1}),
    ("SGD", {"learning_rate": 0.1, "clipvalue": 0.05}),
    ("SGD", {"learning_rate": 0.1, "global_clipnorm": 0.1}),
    ("Adam", {"learning_rate": 0.05, "use_ema": True, "ema_momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "use_ema": True, "ema_momentum": 0.9, "ema_overwrite_frequency": 2}),
    ("Adagrad", {}),
    ("Adagrad", {"learning_rate": 0.1, "initial_accumulator_value": 0.5, "epsilon": 1e-3}),
    ("AdamW", {"learning_rate": 0.01, "weight_decay": 0.1, "amsgrad": True}),
    ("Adam", {"learning_rate": 0.05, "gradient_accumulation_steps": 2}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "weight_decay": 0.05, "clipnorm": 0.5, "gradient_accumulation_steps": 2}),
    ("Adam", {"learning_rate": 0.05, "use_ema": True, "ema_momentum": 0.9, "gradient_accumulation_steps": 2}),
    ("Nadam", {}),
    ("Nadam", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.95, "epsilon": 1e-5}),
    ("Nadam", {"learning_rate": 0.05, "gradient_accumulation_steps": 2}),
    ("Adamax", {}),
    ("Adamax", {"learning_rate": 0.05, "beta_1": 0.8, "beta_2": 0.9}),
    ("ScheduleFreeAdamW", {"learning_rate": 0.05}),
    ("ScheduleFreeAdamW", {"learning_rate": 0.05, "beta_1": 0.8, "warmup_steps": 3, "weight_decay": 0.01}),
    ("Lamb", {}),
    ("Lamb", {"learning_rate": 0.05, "weight_decay": 0.01}),
    ("Lion", {}),
    ("Lion", {"learning_rate": 0.01, "beta_1": 0.8, "beta_2": 0.9, "weight_decay": 0.1}),
    ("Adadelta", {"learning_rate": 1.0}),
    ("Adadelta", {"learning_rate": 0.5, "rho": 0.8, "epsilon": 1e-4}),
    ("Ftrl", {"learning_rate": 0.1}),
    ("Ftrl", {"learning_rate": 0.1, "learning_rate_power": -0.7, "initial_accumulator_value": 0.3, "beta": 0.2,
              "l1_regularization_strength": 0.01, "l2_regularization_strength": 0.02, "l2_shrinkage_regularization_strength": 0.03}),
    ("Adafactor", {"learning_rate": 0.05}),
    ("Adafactor", {"learning_rate": 0.5, "relative_step": False, "clip_threshold": 0.5, "beta_2_decay": -0.6, "epsilon_2": 0.1}),
    ("Muon", {"learning_rate": 0.05}),
    ("Muon", {"learning_rate": 0.05, "nesterov": False, "exclude_layers": ["b"], "adam_lr_ratio": 0.5, "momentum": 0.8, "ns_steps": 3, "adam_weight_decay": 0.1}),
]

SCHEDULES = [
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 3, "decay_rate": 0.5}),
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 3, "decay_rate": 0.5, "staircase": True}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 3, "decay_rate": 0.5}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 3, "decay_rate": 0.5, "staircase": True}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 4, "end_learning_rate": 0.01}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 4, "end_learning_rate": 0.01, "power": 2.0, "cycle": True}),
    ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 6}),
    ("CosineDecay", {"initial_learning_rate": 0.01, "decay_steps": 6, "alpha": 0.1, "warmup_target": 0.1, "warmup_steps": 3}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 2}),
    ("CosineDecayRestarts", {"initial_learning_rate": 0.1, "first_decay_steps": 3, "t_mul": 1.0, "m_mul": 0.5, "alpha": 0.1}),
    ("PiecewiseConstantDecay", {"boundaries": [2, 5], "values": [0.1, 0.01, 0.001]}),
]


def schedules():
    """Returns the learning rates of the first steps."""
    return [
        {"name": name, "params": params, "rates": [floats(np.float32(schedule(i))) for i in range(10)]}
        for name, params in SCHEDULES
        for schedule in [getattr(keras.optimizers.schedules, name)(**params)]
    ]


def optimizers():
    x, y = numbers(40, 6, 4), numbers(41, 6, 2)
    start = [numbers(42, 4, 3), numbers(43, 3), numbers(44, 3, 2), numbers(45, 2)]
    cases = []
    for name, params in OPTIMIZERS:
        keras.backend.clear_session()
        model = keras.Sequential([
            layers.Input((4,)),
            layers.Dense(3, activation="tanh", name="a"),
            layers.Dense(2, name="b"),
        ])
        model.set_weights(start)
        model.compile(optimizer=getattr(keras.optimizers, name)(**params), loss="mse")
        cases.append({
            "name": name,
            "params": params,
            "losses": [floats(np.float32(model.train_on_batch(x, y))) for _ in range(5)],
        })
        model.optimizer.finalize_variable_values(model.trainable_variables)  # as fit does at its end
        cases[-1]["weights"] = [floats(w) for w in model.get_weights()]
        cases[-1]["slots"] = [v.name.removeprefix("sequential_") for v in model.optimizer.variables]
    return {
        "x": floats(x), "y": floats(y), "start": [floats(w) for w in start],
        "cases": cases, "schedules": schedules(),
    }  # fmt: skip


# Several optimizers.

MULTI = [
    ("layers", ("SGD", {"learning_rate": 0.1, "momentum": 0.9}), {"a/.*": ("Adam", {"learning_rate": 0.05})}, {}),
    ("variables, averages, accumulation", ("Nadam", {"learning_rate": 0.02}),
     {"b/bias": ("Adam", {"learning_rate": 0.01, "gradient_accumulation_steps": 2}), "a/kernel": ("Adam", {"use_ema": True, "ema_momentum": 0.9, "global_clipnorm": 0.1}),
      "nothing": ("Lion", {})}, {}),
    ("path before pattern", ("SGD", {}), {".*/bias": ("RMSprop", {"learning_rate": 0.01}), "a/bias": ("Muon", {"weight_decay": 0.1})}, {"loss_scale_factor": 8.0}),
]  # fmt: skip


def multi():
    x, y = numbers(160, 6, 4), numbers(161, 6, 2)
    start = [numbers(162, 4, 3), numbers(163, 3), numbers(164, 3, 2), numbers(165, 2)]
    cases = []
    for name, otherwise, rules, options in MULTI:
        keras.backend.clear_session()
        inputs = layers.Input((4,))
        model = keras.Model(inputs, layers.Dense(2, name="b")(layers.Dense(3, activation="tanh", name="a")(inputs)))
        model.set_weights(start)

        def make(case):
            return getattr(keras.optimizers, case[0])(**case[1])

        optimizer_map = keras.optimizers.OptimizerMap(make(otherwise))
        for key, case in rules.items():
            optimizer_map[key] = make(case)
        o = keras.optimizers.MultiOptimizer(optimizer_map, **options)
        model.compile(optimizer=o, loss="mse")
        losses = [floats(np.float32(model.train_on_batch(x, y))) for _ in range(5)]
        o.finalize_variable_values(model.trainable_variables)
        cases.append({
            "name": name, "default": otherwise, "rules": [[key, case] for key, case in rules.items()], "options": options,
            "losses": losses, "weights": [floats(w) for w in model.get_weights()], "slots": [v.path for v in o.variables],
        })  # fmt: skip
    return {"x": floats(x), "y": floats(y), "start": [floats(w) for w in start], "cases": cases}


# Mixed precision in float16, with a scaled loss.

MIXED = [
    ("as compiled by itself", "Adam", {"learning_rate": 0.05}, None),
    ("overflow, growth", "SGD", {"learning_rate": 0.1, "momentum": 0.9}, {"initial_scale": 2.0**16, "dynamic_growth_steps": 2}),
    ("accumulation", "Adam", {"learning_rate": 0.05, "gradient_accumulation_steps": 2}, {"initial_scale": 2.0**18, "dynamic_growth_steps": 3}),
    ("average, clipping", "SGD", {"learning_rate": 0.1, "use_ema": True, "ema_momentum": 0.9, "clipnorm": 0.5}, {"initial_scale": 2.0**18}),
    ("fixed factor", "SGD", {"learning_rate": 0.1, "loss_scale_factor": 1024.0}, False),
]  # fmt: skip


def mixed():
    """Trains for some steps. The first ones overflow."""
    x, y = numbers(60, 6, 4), numbers(61, 6, 2)
    start = [numbers(62, 4, 3), numbers(63, 3), numbers(64, 3, 2), numbers(65, 2)]
    cases = []
    for name, optimizer, params, scaling in MIXED:
        keras.backend.clear_session()
        keras.config.set_dtype_policy("mixed_float16")
        model = keras.Sequential([
            layers.Input((4,)),
            layers.Dense(3, activation="tanh", name="a"),
            layers.Dense(2, name="b"),
        ])
        keras.config.set_dtype_policy("float32")
        model.set_weights(start)
        o = keras.optimizers.get({"class_name": optimizer, "config": params})
        if scaling:
            o = keras.optimizers.LossScaleOptimizer(o, **scaling)
        model.compile(optimizer=o, loss="mse", auto_scale_loss=scaling is not False)
        steps = []
        for _ in range(9):
            step = {"loss": floats(np.float32(model.train_on_batch(x, y)))}
            if scaling is not False:
                o = model.optimizer
                step.update(scale=floats(o.dynamic_scale), counter=int(o.step_counter), iteration=int(o.inner_optimizer._iterations))
            steps.append(step)
        model.optimizer.finalize_variable_values(model.trainable_variables)
        cases.append({
            "name": name, "optimizer": optimizer, "params": params, "scaling": scaling or None, "automatic": scaling is None,
            "steps": steps, "weights": [floats(w) for w in model.get_weights()],
            "slots": [v.path.replace("sequential_", "") for v in model.optimizer.variables],
        })
    return {"x": floats(x), "y": floats(y), "start": [floats(w) for w in start], "cases": cases}  # fmt: skip


# Whole runs of fit.


def fit_case(name, final, n, batch, epochs=3, dropout=None, loss="mse", metrics=(), weighted_metrics=(), optimizer="rmsprop",
             validation=0, sample_weight=False, class_weight=None, labels="real"):  # fmt: skip
    keras.backend.clear_session()
    x, v = numbers(50, n, 6), numbers(51, max(validation, 1), 6)
    outputs = 4

    def targets(seed, count):
        if labels == "real":
            return numbers(seed, count, outputs)
        t = np.random.default_rng(seed).integers(0, outputs, count).astype(np.int32)
        return t if labels == "sparse" else np.eye(outputs, dtype=np.float32)[t]

    y, vy = targets(52, n), targets(53, max(validation, 1))
    weights = np.round(np.random.default_rng(54).uniform(0, 2, n), 2).astype(np.float32)
    start = [numbers(55, 6, 5), numbers(56, 5), numbers(57, 5, outputs), numbers(58, outputs)]
    stack = [layers.Input((6,)), layers.Dense(5, activation="relu", name="a")]
    if dropout is not None:
        stack.append(layers.Dropout(dropout, seed=7))
    stack.append(layers.Dense(outputs, activation=final, name="b"))
    model = keras.Sequential(stack)
    model.set_weights(start + [w for w in model.get_weights()[4:]])
    model.compile(optimizer=optimizer, loss=loss, metrics=list(metrics), weighted_metrics=list(weighted_metrics))
    history = model.fit(
        x, y, batch_size=batch, epochs=epochs, shuffle=False, verbose=0,
        sample_weight=weights if sample_weight else None, class_weight=class_weight,
        validation_data=((v, vy, weights[:validation]) if sample_weight else (v, vy)) if validation else None,
    )  # fmt: skip
    evaluation = model.evaluate(
        x, y, batch_size=batch, verbose=0, return_dict=True, sample_weight=weights if sample_weight else None
    )
    return {
        "name": name, "final_activation": final, "loss": loss, "metrics": list(metrics),
        "weighted_metrics": list(weighted_metrics), "class_weight": None if class_weight is None else [class_weight[i] for i in range(outputs)],
        "optimizer": optimizer, "batch": batch, "epochs": epochs, "dropout": dropout,
        "x": floats(x), "y": floats(y), "start": [floats(w) for w in start],
        "sample_weight": floats(weights) if sample_weight else None,
        "validation_x": floats(v) if validation else None,
        "validation_y": floats(vy) if validation else None,
        "history": {k: [floats(np.float32(h)) for h in values] for k, values in history.history.items()},
        "evaluate": {k: floats(np.float32(e)) for k, e in evaluation.items()},
        "predict": floats(model.predict(x[:3], verbose=0)),
        "weights": [floats(w) for w in model.get_weights()[:4]],
    }  # fmt: skip


def fit():
    return {
        "cases": [
            fit_case("regression", None, 48, 16),
            fit_case("smaller last batch", None, 50, 16, metrics=["mae"]),
            fit_case("one batch", None, 10, 16),
            fit_case("validation", "softmax", 50, 16, loss="categorical_crossentropy", metrics=["accuracy", "mse"],
                     optimizer="adam", validation=20, labels="one_hot"),
            fit_case("sparse labels", "softmax", 50, 16, loss="sparse_categorical_crossentropy", metrics=["accuracy"],
                     optimizer="sgd", validation=17, labels="sparse"),
            fit_case("dropout", None, 50, 16, dropout=0.4, validation=20),
            fit_case("sample weights", None, 50, 16, metrics=["mae"], weighted_metrics=["mse"], validation=20, sample_weight=True),
            fit_case("class weights", "softmax", 50, 16, loss="sparse_categorical_crossentropy", metrics=["accuracy"],
                     weighted_metrics=["accuracy"], class_weight={0: 1.0, 1: 2.0, 2: 0.5, 3: 0.0}, labels="sparse"),
            fit_case("class weights of one-hot labels", "softmax", 50, 16, loss="categorical_crossentropy",
                     class_weight={0: 1.0, 1: 2.0, 2: 0.5, 3: 0.0}, labels="one_hot"),
        ]
    }  # fmt: skip


# Models with several outputs.

OUTPUTS = [
    ("by position", {"loss": ["mse", "sparse_categorical_crossentropy"], "loss_weights": [0.5, 2.0],
                     "metrics": [["mae", "mse"], "accuracy"], "weighted_metrics": [["mae"], ["accuracy"]]}),
    ("by name", {"loss": {"value": "mse", "group": "sparse_categorical_crossentropy"}, "loss_weights": {"value": 0.5, "group": 2.0},
                 "metrics": {"group": ["accuracy", "accuracy"]}, "weighted_metrics": {"value": ["mae"]}}),
    ("one loss", {"loss": ["mse", None], "metrics": [None, ["accuracy"]]}),
    ("no weights", {"loss": {"value": "huber", "group": "sparse_categorical_crossentropy"}}),
]  # fmt: skip


def outputs():
    """Trains a model with two inputs and two outputs, with and without sample weights."""
    n = 22
    a, b, value = numbers(100, n, 3), numbers(101, n, 2), numbers(102, n, 2)
    group = np.random.default_rng(103).integers(0, 3, n).astype(np.int32)
    weights = [np.round(np.random.default_rng(104 + i).uniform(0, 2, n), 2).astype(np.float32) for i in range(2)]
    start = [numbers(106, 5, 4), numbers(107, 4), numbers(108, 4, 2), numbers(109, 2), numbers(110, 4, 3), numbers(111, 3)]
    cases = []
    for name, compiled in OUTPUTS:
        for weighted in ["", "one", "each"]:
            keras.backend.clear_session()
            x, z = layers.Input((3,), name="x"), layers.Input((2,), name="z")
            hidden = layers.Dense(4, activation="tanh", name="hidden")(layers.Concatenate()([x, z]))
            model = keras.Model([x, z], [layers.Dense(2, name="value")(hidden), layers.Dense(3, activation="softmax", name="group")(hidden)])
            model.set_weights(start)
            model.compile(optimizer="sgd", **compiled)
            w = {"": None, "one": weights[0], "each": weights}[weighted]
            history = model.fit([a, b], [value, group], sample_weight=w, batch_size=8, epochs=3, shuffle=False, verbose=0,
                                validation_data=([a[:9], b[:9]], [value[:9], group[:9]]))  # fmt: skip
            cases.append({
                "name": name, "weighted": weighted, "compile": compiled,
                "history": {k: [floats(np.float32(h)) for h in values] for k, values in history.history.items()},
                "weights": [floats(v) for v in model.get_weights()],
            })
    return {
        "a": floats(a), "b": floats(b), "value": floats(value), "group": floats(group), "weights": [floats(v) for v in weights],
        "start": [floats(v) for v in start], "cases": cases,
    }  # fmt: skip


# Inputs and outputs as dicts.


class Dicts(keras.utils.PyDataset):
    """Yields batches of dicts."""

    def __init__(self, x, y, weights, size):
        super().__init__()
        self.x, self.y, self.weights, self.size = x, y, weights, size

    def __len__(self):
        return -(-len(self.weights["tag"]) // self.size)

    def __getitem__(self, i):
        part = slice(i * self.size, (i + 1) * self.size)
        return tuple({k: v[part] for k, v in d.items()} for d in (self.x, self.y, self.weights))


def named():
    """Trains a model whose inputs and outputs are dicts, on arrays and on a dataset."""
    n = 22
    x = {"left": numbers(140, n, 3), "right": numbers(141, n, 2)}
    y = {"amount": numbers(142, n, 2), "tag": np.random.default_rng(143).integers(0, 3, n).astype(np.int32)}
    weights = {k: np.round(np.random.default_rng(144).uniform(0, 2, n), 2).astype(np.float32) for k in y}
    start = [numbers(146, 5, 4), numbers(147, 4), numbers(148, 4, 2), numbers(149, 2), numbers(150, 4, 3), numbers(151, 3)]

    def model():
        keras.backend.clear_session()
        left, right = layers.Input((3,), name="left"), layers.Input((2,), name="right")
        hidden = layers.Dense(4, activation="tanh", name="hidden")(layers.Concatenate()([left, right]))
        value, group = layers.Dense(2, name="value")(hidden), layers.Dense(3, activation="softmax", name="group")(hidden)
        m = keras.Model({"right": right, "left": left}, {"tag": group, "amount": value})
        m.set_weights(start)
        m.compile(optimizer="sgd", loss={"amount": "mse", "tag": "sparse_categorical_crossentropy"}, loss_weights={"amount": 0.5, "tag": 2.0},
                  metrics={"tag": ["accuracy"]}, weighted_metrics={"amount": ["mae"]})  # fmt: skip
        return m

    def result(m, history):
        predictions = m.predict(x, verbose=0)
        return {
            "history": {k: [floats(np.float32(h)) for h in values] for k, values in history.history.items()},
            "weights": [floats(v) for v in m.get_weights()], "predictions": {k: floats(v) for k, v in predictions.items()},
        }  # fmt: skip

    common = {"epochs": 2, "verbose": 0, "shuffle": False}
    m = model()
    cases = {"arrays": result(m, m.fit(x, y, batch_size=8, sample_weight=weights, **common))}
    m = model()
    cases["dataset"] = result(m, m.fit(Dicts(x, y, weights, 8), **common))
    return {
        "x": {k: floats(v) for k, v in x.items()}, "y": {k: floats(v) for k, v in y.items()},
        "weights": {k: floats(v) for k, v in weights.items()}, "start": [floats(v) for v in start], "cases": cases,
    }  # fmt: skip


# Summaries.


def summaries():
    def text(model, **options):
        lines = []
        os.environ["COLUMNS"] = "130"  # of the terminal, which there is not
        model.summary(line_length=120, print_fn=lambda s, **_: lines.append(s), **options)
        return "\n".join(lines)

    keras.backend.clear_session()
    chain = keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(3, 3), layers.BatchNormalization(), layers.Flatten(), layers.Dense(10)])
    chain.layers[3].trainable = False
    out = {"chain": text(chain, show_trainable=True)}

    x = layers.Input((3,), name="x")
    shared = layers.Dense(3, name="shared")
    a = shared(x)
    branches = keras.Model(x, [layers.Add(name="sum")([a, shared(a)]), layers.Dense(2, name="d")(a)], name="functional")
    branches.compile("adam", "mse")
    branches.fit(np.ones((1, 3)), [np.ones((1, 3)), np.ones((1, 2))], verbose=0)
    out["branches"] = text(branches)

    inner = keras.Sequential([layers.Dense(5, name="first"), layers.Dense(4, name="second")], name="inner")
    y = layers.Input((6,), name="y")
    out["nested"] = text(keras.Model(y, layers.Dense(1, name="last")(inner(y)), name="functional"), expand_nested=True)
    return out


# Regularizers and constraints.

LIMITS = [
    ("l1, l2", {"kernel_regularizer": ("L1", {"l1": 0.02}), "bias_regularizer": ("L2", {"l2": 0.03})}),
    ("both, activity", {"kernel_regularizer": ("L1L2", {"l1": 0.01, "l2": 0.02}), "activity_regularizer": ("L2", {"l2": 0.05})}),
    ("rows", {"kernel_regularizer": ("OrthogonalRegularizer", {"factor": 0.1})}),
    ("columns", {"kernel_regularizer": ("OrthogonalRegularizer", {"factor": 0.1, "mode": "columns"})}),
    ("max norm", {"kernel_constraint": ("MaxNorm", {"max_value": 1.0}), "bias_constraint": ("NonNeg", {})}),
    ("unit norm", {"kernel_constraint": ("UnitNorm", {"axis": 1})}),
    ("norms in a range", {"kernel_constraint": ("MinMaxNorm", {"min_value": 0.5, "max_value": 1.0, "rate": 0.5})}),
]


def limits():
    x, y = numbers(120, 12, 4), numbers(121, 12, 2)
    start = [numbers(122, 4, 3), numbers(123, 3), numbers(124, 3, 2), numbers(125, 2)]
    cases = []
    for name, given in LIMITS:
        keras.backend.clear_session()
        made = {k: getattr(keras.constraints if k.endswith("constraint") else keras.regularizers, c)(**p) for k, (c, p) in given.items()}
        model = keras.Sequential([layers.Input((4,)), layers.Dense(3, activation="tanh", name="a", **made), layers.Dense(2, name="b")])
        model.set_weights(start)
        model.compile(optimizer=keras.optimizers.SGD(0.1, momentum=0.9), loss="mse")
        history = model.fit(x, y, batch_size=4, epochs=3, shuffle=False, verbose=0)
        cases.append({
            "name": name, "options": given, "losses": [floats(np.float32(v)) for v in history.history["loss"]],
            "evaluate": floats(np.float32(model.evaluate(x, y, batch_size=4, verbose=0))), "weights": [floats(w) for w in model.get_weights()],
        })
    return {"x": floats(x), "y": floats(y), "start": [floats(w) for w in start], "cases": cases}


# Epochs of a number of steps, and single steps.


def steps_model():
    keras.backend.clear_session()
    model = keras.Sequential([layers.Input((6,)), layers.Dense(5, activation="relu", name="a"), layers.Dense(4, name="b")])
    model.set_weights([numbers(75, 6, 5), numbers(76, 5), numbers(77, 5, 4), numbers(78, 4)])
    model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
    return model


def endless(x, y, batch):
    while True:
        for i in range(0, len(x), batch):
            yield x[i : i + batch], y[i : i + batch]


def steps():
    x, y, v, vy = numbers(70, 18, 6), numbers(71, 18, 4), numbers(72, 10, 6), numbers(73, 10, 4)
    weights = np.round(np.random.default_rng(74).uniform(0, 2, 18), 2).astype(np.float32)

    def history(h):
        return {k: [floats(np.float32(a)) for a in values] for k, values in h.history.items()}

    def numbers_of(logs):
        return {k: floats(np.float32(a)) for k, a in logs.items()}

    quiet = {"shuffle": False, "verbose": 0}
    model = steps_model()
    fits = {"short": history(model.fit(x, y, batch_size=4, epochs=5, steps_per_epoch=3, **quiet))}
    fits["endless"] = history(steps_model().fit(
        endless(x, y, 4), epochs=4, steps_per_epoch=3, verbose=0, validation_data=endless(v[:6], vy[:6], 3), validation_steps=2
    ))
    fits["validation steps"] = history(steps_model().fit(
        x, y, batch_size=4, epochs=3, validation_data=(v, vy), validation_steps=2, **quiet
    ))
    fits["split"] = history(steps_model().fit(
        x, y, sample_weight=weights, batch_size=4, epochs=4, validation_split=0.3, validation_freq=2, validation_batch_size=5, **quiet
    ))
    model = steps_model()
    on_batch = [
        numbers_of(model.train_on_batch(x, y, return_dict=True)),
        numbers_of(model.train_on_batch(x[:7], y[:7], sample_weight=weights[:7], return_dict=True)),
        numbers_of(model.test_on_batch(v, vy, return_dict=True)),
        numbers_of(model.test_on_batch(x, y, sample_weight=weights, return_dict=True)),
    ]
    return {
        "x": floats(x), "y": floats(y), "v": floats(v), "vy": floats(vy), "weights": floats(weights),
        "start": [floats(w) for w in steps_model().get_weights()],
        "fits": fits, "on_batch": on_batch, "predict_on_batch": floats(model.predict_on_batch(v)),
        "evaluate": numbers_of(model.evaluate(x, y, batch_size=4, steps=3, verbose=0, return_dict=True)),
        "predict": floats(model.predict(x, batch_size=4, steps=3, verbose=0)),
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("files", nargs="*", help="which of the files, without .json; all by default")
    args = parser.parse_args()
    for make in [activations, losses, metrics, optimizers, multi, mixed, fit, outputs, named, summaries, limits, steps]:
        if args.files and make.__name__ not in args.files:
            continue
        write_json(os.path.join(args.output, make.__name__ + ".json"), {"made_with": versions(), **make()})


if __name__ == "__main__":
    main()
