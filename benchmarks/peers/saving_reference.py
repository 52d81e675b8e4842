#!/usr/bin/env python3
"""Writes .keras archives with Keras 3 on JAX, for the tests of keras/saving.

Beside each NAME.keras stands NAME.json: its predictions for fixed inputs, and
the losses of three more epochs of training from there. NAME.h5, where there is
one, holds the same weights in Keras' older format.

    KERAS_BACKEND=jax python saving_reference.py [-o DIR]
    python saving_reference.py --ask FILE…  # the same of any archives, to stdout
    python saving_reference.py --guide FILE  # writes the guide's MNIST model, then as --ask
"""

import argparse
import json
import os
import sys

os.environ["KERAS_BACKEND"] = "jax"
os.environ["JAX_PLATFORMS"] = "cpu"

import h5py
import keras
import numpy as np
from keras import layers, ops
from keras.src.legacy.saving import legacy_h5_format

from reference import ROOT, floats, versions, write_json

OUTPUT = os.path.join(ROOT, "keras/saving/testdata")


def inputs(model):
    """Returns fixed inputs for a model: fractions of 11 by position, their
    numerators for integers, and most of them for booleans."""
    out = []
    for t in model.inputs:
        shape = (8,) + tuple(t.shape[1:])
        n = (np.arange(np.prod(shape)) * 7 % 11).reshape(shape)
        out.append({"int32": n.astype("int32"), "bool": n < 8}.get(t.dtype, (n / 11).astype("float32")))
    if not isinstance(model, keras.Sequential) and isinstance(model.input, dict):
        return dict(zip(sorted(model.input), out))
    return out[0] if len(out) == 1 else out


def labels(model):
    if isinstance(model.output_shape, dict):  # of one output
        return {name: np.arange(8, dtype="int32") % shape[-1] for name, shape in model.output_shape.items()}
    return np.arange(8, dtype="int32") % model.output_shape[-1]


def predict(model, x):
    out = model.predict(x, verbose=0)
    return floats(list(out.values())[0] if isinstance(out, dict) else out)


def ask(model, train):
    """Returns the results that a test compares."""
    x = inputs(model)
    answer = {"predictions": predict(model, x)}
    if any(layer.dtype_policy.name.startswith("mixed") for layer in model.layers):
        answer["mixed"] = True
    if train:
        history = model.fit(x, labels(model), epochs=3, batch_size=4, shuffle=False, verbose=0)
        answer["losses"] = history.history["loss"]
        answer["after"] = predict(model, x)
    return answer


def mnist():
    """The model of the tf.distribute guide, smaller."""
    return keras.Sequential(
        [
            keras.Input((4, 4, 1)),
            layers.Flatten(),
            layers.Dense(8, activation="relu"),
            layers.Dense(8, activation="relu", name="second"),
            layers.Dense(3),
        ]
    )


def limits():
    """Regularizers and constraints."""
    x = keras.Input((6, 6, 2))
    y = layers.Conv2D(4, 3, kernel_regularizer=keras.regularizers.L1L2(0.01, 0.02), bias_constraint="non_neg")(x)
    y = layers.DepthwiseConv2D(2, depthwise_regularizer="l2", depthwise_constraint=keras.constraints.UnitNorm(axis=[0, 1]))(y)
    y = layers.Flatten()(y)
    y = layers.Dense(5, activation="tanh", kernel_constraint=keras.constraints.MaxNorm(1.5), activity_regularizer=keras.regularizers.L1(0.001))(y)
    return keras.Model(x, layers.Dense(3, activation="softmax", kernel_regularizer=keras.regularizers.OrthogonalRegularizer(0.1, mode="columns"))(y))


def guide():
    """The MNIST model of the tf.distribute guide."""
    x = keras.Input((784,))
    y = layers.Dense(256, activation="relu")(x)
    y = layers.Dense(256, activation="relu")(y)
    return keras.Model(x, layers.Dense(10)(y))


def branches():
    """Two inputs, a shared layer, merges, layers out of order."""
    a = keras.Input((4,), name="a")
    b = keras.Input((4,), name="b")
    shared = layers.Dense(5, activation="tanh", name="shared", kernel_initializer=keras.initializers.HeNormal(seed=3))
    left = layers.Dense(5, name="left")(shared(a))
    right = shared(b)
    y = layers.Add()([left, right])
    y = layers.Concatenate()([y, layers.Activation("gelu")(right)])
    y = layers.Dropout(0.0)(y)
    y = layers.LayerNormalization()(y)
    return keras.Model([a, b], layers.Dense(3, activation="softmax", name="right")(y), name="two")


def images():
    """Convolutions and what goes with them."""
    x = keras.Input((6, 6, 2))
    y = layers.Rescaling(2.0, offset=-1.0)(x)
    y = layers.ZeroPadding2D(1)(y)
    y = layers.Conv2D(4, 3, strides=2, use_bias=False)(y)
    y = layers.BatchNormalization(momentum=0.9)(y)
    y = layers.Activation("relu")(y)
    y = layers.DepthwiseConv2D(2, padding="same")(y)
    y = layers.MaxPooling2D(2, strides=1)(y)
    y = layers.GlobalAveragePooling2D()(y)
    return keras.Model(x, layers.Dense(3, activation="softmax")(y))


def attention():
    """Embedding, attention with a causal mask and with one that is given, and
    normalizations."""
    tokens = keras.Input((5,), dtype="int32", name="tokens")
    seen = keras.Input((5, 5), dtype="bool", name="seen")
    x = layers.Embedding(11, 6, embeddings_initializer="glorot_normal")(tokens)
    y = layers.RMSNormalization()(x)
    x = layers.Add()([x, layers.MultiHeadAttention(3, 2, seed=5)(y, y, use_causal_mask=True)])
    y = layers.LayerNormalization(epsilon=1e-5)(x)
    y = layers.GroupQueryAttention(2, 4, 2, use_bias=False, kernel_initializer="he_normal")(y, x, attention_mask=seen)
    y = layers.Permute((2, 1))(layers.Multiply()([x, y]))
    y = layers.Reshape((10, 3))(y)
    return keras.Model([tokens, seen], layers.Dense(4, activation="softmax")(layers.Flatten()(y)))


def recurrent():
    """Recurrent layers with cells of all kinds, and states that are passed on."""
    x = keras.Input((6, 4))
    y, h, c = layers.LSTM(5, return_sequences=True, return_state=True, recurrent_activation="hard_sigmoid")(x)
    y = layers.Bidirectional(layers.GRU(3, return_sequences=True, reset_after=False), merge_mode="sum")(y)
    y = layers.TimeDistributed(layers.Dense(4, activation="tanh"))(y)
    y = layers.RNN(layers.StackedRNNCells([layers.SimpleRNNCell(4, use_bias=False), layers.LSTMCell(3)]), go_backwards=True)(y)
    z = layers.LSTM(5, unit_forget_bias=False)(x, initial_state=[h, c])
    return keras.Model(x, layers.Dense(3, activation="softmax")(layers.Concatenate()([y, z])))


def operators():
    """Operators of Python and keras.ops on tensors, and masks, which Keras writes as operations."""
    x = keras.Input((4,), name="x")
    t = keras.Input((3,), dtype="int32", name="t")
    y = 2 / (x + 1.5) - x * 0.5
    y = ops.concatenate([y[:, 1:3], y[..., -1:], x**2], axis=-1)
    y = y + ops.mean(y, axis=1, keepdims=True) * ops.sigmoid(-x[:, 0])[:, None]
    e = layers.Embedding(11, 4, mask_zero=True)(t)
    z = ops.where(ops.expand_dims(ops.not_equal(t, 3), -1), e, 0.25)
    z = ops.reshape(ops.transpose(z, (0, 2, 1)), (-1, 12)) @ np.linspace(-1, 1, 24).reshape(12, 2).astype("float32")
    q = ops.max(ops.stack([z, ops.tanh(z)], axis=1), axis=1)
    a = ops.cast(ops.any(ops.greater(t, 8), axis=-1, keepdims=True), "float32")
    h = layers.LSTM(3, return_sequences=True)(e)
    h = layers.GlobalAveragePooling1D()(h)
    y = layers.Dense(5, activation="tanh")(ops.concatenate([y, q, a, h], axis=-1))
    return keras.Model([x, t], layers.Dense(3, activation="softmax")(y))


def volumes():
    """Layers over one to three dimensions, merges, activations."""
    x = keras.Input((4, 6, 6, 1))
    y = layers.Conv3D(2, 2, padding="same")(x)
    y = layers.AveragePooling3D((2, 1, 1))(layers.PReLU(shared_axes=[1, 2, 3])(y))
    y = layers.Reshape((12, 6, 2))(layers.Cropping3D(((0, 0), (0, 0), (0, 0)))(y))
    u = layers.UpSampling2D(interpolation="bilinear")(layers.MaxPooling2D()(y))
    v = layers.Conv2DTranspose(2, 3, strides=2, padding="same")(layers.SeparableConv2D(3, 3, strides=2, padding="same")(y))
    y = layers.Maximum()([layers.Subtract()([u, v]), layers.LeakyReLU()(y)])
    s = layers.Reshape((12, 12))(y)
    s = layers.Conv1D(4, 3, padding="causal", dilation_rate=2, activation="relu")(s)
    s = layers.EinsumDense("abc,cd->abd", (None, 4), bias_axes="d")(s)
    s = layers.DepthwiseConv1D(3, depthwise_regularizer="l2")(layers.ZeroPadding1D(1)(s))
    d = layers.Dot(axes=1, normalize=True)([s, layers.Softmax()(s)])
    y = layers.Concatenate()([layers.Flatten()(d), layers.GlobalMaxPooling1D()(s)])
    return keras.Model(x, layers.Dense(3, activation="softmax")(layers.ELU(0.5)(layers.Identity()(y))))


def nested():
    """Models as layers: a frozen functional model, and a Sequential."""
    a = keras.Input((6,))
    base = keras.Model(a, layers.BatchNormalization()(layers.Dense(5, activation="tanh")(a)), name="base")
    base.trainable = False
    b = keras.Input((6,))
    tail = keras.Sequential([layers.Dense(4), layers.Activation("relu")], name="tail")
    return keras.Model(b, layers.Dense(3, activation="softmax", name="last")(tail(base(b))))


def dicts():
    """A model with dicts of inputs and outputs, inside of another model."""
    u, v = keras.Input((4,), name="u"), keras.Input((3,), name="v")
    inner = keras.Model({"v": v, "u": u}, {"second": layers.Dense(2)(u), "first": layers.Dense(3)(v)}, name="inner")
    a, b = keras.Input((4,), name="a"), keras.Input((3,), name="b")
    both = inner({"u": a, "v": b})
    y = layers.Concatenate()([both["second"], both["first"]])
    return keras.Model({"b": b, "a": a}, {"tag": layers.Dense(3, activation="softmax", name="last")(y)})


def mixed():
    """Variables in float32; computation in bfloat16, except in the last layer."""
    keras.config.set_dtype_policy("mixed_bfloat16")
    x = keras.Input((4, 6))
    y = layers.LayerNormalization()(layers.Dense(8, activation="gelu")(x))
    y = layers.Add()([y, layers.MultiHeadAttention(2, 4)(y, y, use_causal_mask=True)])
    y = layers.BatchNormalization()(layers.RMSNormalization()(y))
    y = layers.Conv2D(4, 2, padding="same")(layers.Reshape((4, 4, 2))(y))
    y = layers.Flatten()(layers.MaxPooling2D()(y))
    model = keras.Model(x, layers.Dense(3, activation="softmax", dtype="float32")(y))
    keras.config.set_dtype_policy("float32")
    return model


def half(make):
    """Returns a model with variables in float32 and computation in float16."""
    keras.config.set_dtype_policy("mixed_float16")
    model = make()
    keras.config.set_dtype_policy("float32")
    return model


@keras.saving.register_keras_serializable("tests")
class Scale(layers.Layer):
    """Multiplies by a trainable vector, and by a number."""

    def __init__(self, factor=1.0, **options):
        super().__init__(**options)
        self.factor = factor

    def build(self, shape):
        self.scale = self.add_weight(shape=shape[-1:], initializer="ones", name="scale")

    def call(self, x):
        return x * self.scale * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


@keras.saving.register_keras_serializable("tests")
def cubed(y_true, y_pred):
    """A loss: the mean cube of the distance to the vectors of the classes."""
    y = keras.ops.one_hot(keras.ops.cast(keras.ops.reshape(y_true, (-1,)), "int32"), y_pred.shape[-1])
    return keras.ops.mean(keras.ops.abs(y - y_pred) ** 3, axis=-1)


@keras.saving.register_keras_serializable("tests")
def largest(y_true, y_pred):
    """A metric: the largest output."""
    return keras.ops.max(y_pred, axis=-1)


def registered():
    """A user's layer, also inside of another layer."""
    x = keras.Input((4,))
    y = layers.Dense(6, activation="tanh")(x)
    y = Scale(0.5, name="half")(y)
    y = Scale(2.0, trainable=False)(layers.Dense(3)(y))
    return keras.Model(x, y)


class Residual(layers.Layer):
    """A layer that consists of layers."""

    def __init__(self):
        super().__init__()
        self.up = layers.Dense(8, activation="relu")
        self.down = layers.Dense(4)
        self.norm = layers.LayerNormalization()

    def build(self, shape):
        self.scale = self.add_weight(shape=shape[-1:], initializer="ones", name="scale")
        super().build(shape)

    def call(self, x):
        return x + self.scale * self.down(self.up(self.norm(x)))


class Net(keras.Model):
    """A model with a custom class: the Python version of net in keras/saving's tests."""

    def __init__(self):
        super().__init__()
        self.first = layers.Dense(4)
        self.blocks = [Residual(), Residual()]
        self.inner = keras.Sequential([layers.Dense(5, activation="tanh"), layers.Dense(4)])
        self.last_layer = layers.Dense(3, activation="softmax")

    def call(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return self.last_layer(self.inner(x))


def write_net(folder):
    """Writes the weights of a Net, with those of its optimizer."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(3)
    net, x = Net(), (np.arange(48) * 7 % 11 / 11).reshape(8, 6).astype("float32")
    net.compile("adam", LOSS)
    net.fit(x, np.arange(8) % 3, epochs=1, batch_size=4, shuffle=False, verbose=0)
    net.save_weights(os.path.join(folder, "net.weights.h5"))
    write_json(os.path.join(folder, "net.json"), {"predictions": floats(net.predict(x, verbose=0)), "made_with": versions()})


def tied():
    """An embedding that is called in both directions."""
    x = keras.Input((6,), dtype="int32")
    words = layers.ReversibleEmbedding(12, 4, logit_soft_cap=3.0, name="words")
    y = layers.Dense(4, activation="tanh", name="hidden")(words(x))
    y = words(words(y, reverse=True)[:, :, :4], reverse=True)
    return keras.Model(x, layers.Softmax()(layers.GlobalAveragePooling1D()(y)))


def several():
    """A MultiOptimizer whose optimizers are not in alphabetical order."""
    rules = keras.optimizers.OptimizerMap(keras.optimizers.SGD(0.1, momentum=0.9))
    rules["shared/.*"] = keras.optimizers.Adam(0.01)
    rules["left/bias"] = keras.optimizers.Adam(0.02)
    return keras.optimizers.MultiOptimizer(rules)


def spectral():
    """Kernels that are divided in training: with a regularizer, and below a wrapper that is frozen."""
    x = keras.Input((6,))
    y = layers.SpectralNormalization(layers.Dense(5, activation="tanh", kernel_regularizer="l2"))(x)
    y = layers.SpectralNormalization(layers.Dense(4, kernel_regularizer="l1"), power_iterations=2, trainable=False)(y)
    y = layers.SpectralNormalization(layers.Dense(4, trainable=False))(y)
    return keras.Model(x, layers.Dense(3, activation="softmax")(y))


def low_rank():
    """Kernels and a table with low-rank adaptations."""
    x = keras.Input((6,), dtype="int32")
    y = layers.Embedding(11, 4, lora_rank=2)(x)
    y = layers.Conv1D(4, 2, activation="tanh", lora_rank=1, lora_alpha=3, kernel_regularizer="l2")(y)
    y = layers.EinsumDense("abc,cd->abd", (5, 4), bias_axes="d", lora_rank=2, lora_alpha=1)(y)
    y = layers.Dense(4, activation="relu", lora_rank=2, dtype="mixed_bfloat16")(layers.Flatten()(y))
    return keras.Model(x, layers.Dense(3, activation="softmax", dtype="float32")(y))


def quiet():
    """float16 numbers below the normal ones: a spectrogram of what is almost silence."""
    x = keras.Input((8, 2))
    y = layers.Rescaling(1e-4, dtype="float32")(x)
    y = layers.STFTSpectrogram(frame_length=4, dtype="mixed_float16")(y)
    return keras.Model(x, layers.Dense(3, activation="softmax", dtype="float32")(layers.Flatten()(y)))


LOSS = "sparse_categorical_crossentropy"
CASES = [
    ("mnist", mnist, {"optimizer": "adam", "loss": keras.losses.SparseCategoricalCrossentropy(from_logits=True), "metrics": ["accuracy"]}),
    ("branches", branches, {"optimizer": keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True), "loss": LOSS}),
    ("images", images, {"optimizer": keras.optimizers.RMSprop(keras.optimizers.schedules.ExponentialDecay(0.01, 3, 0.5)), "loss": LOSS, "metrics": [keras.metrics.SparseCategoricalAccuracy()]}),
    ("attention", attention, {"optimizer": keras.optimizers.AdamW(0.01), "loss": LOSS, "metrics": ["accuracy"]}),
    ("recurrent", recurrent, {"optimizer": "adam", "loss": LOSS}),
    ("nested", nested, {"optimizer": "adam", "loss": LOSS}),
    ("mixed", mixed, {"optimizer": keras.optimizers.SGD(0.05), "loss": LOSS, "metrics": ["accuracy"]}),
    ("scaled", lambda: half(mnist), {"optimizer": "adam", "loss": keras.losses.SparseCategoricalCrossentropy(from_logits=True)}),
    ("scaled_branches", lambda: half(branches), {"optimizer": keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1, momentum=0.9), initial_scale=2.0**20, dynamic_growth_steps=3), "loss": LOSS}),
    ("untrained", mnist, None),
    ("operators", operators, {"optimizer": "adam", "loss": LOSS}),
    ("volumes", volumes, {"optimizer": "adam", "loss": LOSS}),
    ("metrics", mnist, {
        "optimizer": keras.optimizers.Adadelta(1.0), "loss": keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="sum"), "loss_weights": 0.5,
        "metrics": [keras.metrics.SparseCategoricalAccuracy(), keras.metrics.SparseTopKCategoricalAccuracy(k=2, name="top2")],
        "weighted_metrics": ["accuracy", keras.metrics.SparseCategoricalCrossentropy(from_logits=True)],
    }),
    ("nadam", branches, {"optimizer": keras.optimizers.Nadam(0.01), "loss": keras.losses.CategoricalGeneralizedCrossEntropy(q=0.7)}),
    ("adafactor", branches, {"optimizer": keras.optimizers.Adafactor(0.01, clip_threshold=0.9), "loss": LOSS}),
    ("muon", mnist, {"optimizer": keras.optimizers.Muon(0.01, exclude_layers=["second"]), "loss": keras.losses.SparseCategoricalCrossentropy(from_logits=True)}),
    ("limits", limits, {"optimizer": "adamax", "loss": LOSS}),
    ("registered", registered, {"optimizer": "sgd", "loss": cubed, "metrics": [largest]}),
    ("dicts", dicts, {"optimizer": "adam", "loss": {"tag": LOSS}, "metrics": {"tag": ["accuracy"]}}),
    ("tied", tied, {"optimizer": "adam", "loss": LOSS}),
    ("multi", branches, {"optimizer": several(), "loss": LOSS}),
    ("spectral", spectral, {"optimizer": "adam", "loss": LOSS}),
    ("low_rank", low_rank, {"optimizer": "adam", "loss": LOSS}),
    ("quiet", quiet, None),
    ("ftrl", branches, {"optimizer": keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01), "loss": LOSS}),
]


def write(model, compiled, path):
    """Saves the model, trained for two epochs if it is to be compiled."""
    if compiled:
        model.compile(**compiled)
        model.fit(inputs(model), labels(model), epochs=2, batch_size=4, shuffle=False, verbose=0)
    model.save(path)


def write_legacy(model, path):
    """Writes the weights in the form of the files of Keras' applications."""
    with h5py.File(path, "w") as f:
        legacy_h5_format.save_weights_to_hdf5_group(f, model)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=OUTPUT)
    parser.add_argument("--ask", nargs="+")
    parser.add_argument("--guide")
    parser.add_argument("--only", nargs="+", help="the names of the files to write; all by default")
    args = parser.parse_args()
    if args.guide:
        keras.utils.set_random_seed(1)
        write(guide(), CASES[0][2], args.guide)
        args.ask = [args.guide]
    if args.ask:
        models = [keras.saving.load_model(name) for name in args.ask]
        json.dump([ask(m, m.compiled) for m in models], sys.stdout)
        return
    os.makedirs(args.output, exist_ok=True)
    for name, make, compiled in CASES:
        if args.only and name not in args.only:
            continue
        keras.utils.clear_session()
        keras.utils.set_random_seed(len(name))
        model = make()
        path = os.path.join(args.output, name + ".keras")
        write(model, compiled, path)
        if name == "images":
            write_legacy(model, os.path.join(args.output, name + ".h5"))
        answer = ask(keras.saving.load_model(path), bool(compiled))
        answer["made_with"] = versions()
        write_json(os.path.join(args.output, name + ".json"), answer)
    if not args.only:
        write_net(args.output)


if __name__ == "__main__":
    main()
