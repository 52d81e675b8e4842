"""The models of the benchmarks as Keras users write them."""

import keras
from keras import layers


def quickstart():
    x_in = keras.Input((28, 28, 1))
    y = layers.Flatten()(x_in)
    y = layers.Dense(200, use_bias=False, activation="relu", name="d1")(y)
    y = layers.Dropout(0.4, seed=15)(y)
    return keras.Model(x_in, layers.Dense(10, activation="softmax", name="d2")(y))


def mlp():
    x_in = keras.Input((784,))
    y = layers.Dense(256, activation="relu", name="d1")(x_in)
    y = layers.Dense(256, activation="relu", name="d2")(y)
    return keras.Model(x_in, layers.Dense(10, activation="softmax", name="d3")(y))


def conv_net():
    x_in = keras.Input((28, 28, 1))
    y = layers.Conv2D(32, 3, activation="relu", name="c1")(x_in)
    y = layers.MaxPooling2D()(y)
    y = layers.Conv2D(64, 3, activation="relu", name="c2")(y)
    y = layers.MaxPooling2D()(y)
    y = layers.Flatten()(y)
    return keras.Model(x_in, layers.Dense(10, activation="softmax", name="d1")(y))


def resnet50():
    return keras.applications.ResNet50(weights=None, input_shape=(64, 64, 3), classes=10)


def transformer(blocks=4, features=256, heads=8, sequence=128, words=512):
    x_in = keras.Input((sequence,), dtype="int32")
    y = layers.Embedding(words, features, name="words")(x_in)
    for b in range(blocks):
        h = layers.LayerNormalization(name=f"block{b}_norm1")(y)
        h = layers.MultiHeadAttention(heads, features // heads, name=f"block{b}_attention")(h, h, use_causal_mask=True)
        y = layers.Add(name=f"block{b}_add1")([y, h])
        h = layers.LayerNormalization(name=f"block{b}_norm2")(y)
        h = layers.Dense(4 * features, activation="gelu", name=f"block{b}_up")(h)
        h = layers.Dense(features, name=f"block{b}_down")(h)
        y = layers.Add(name=f"block{b}_add2")([y, h])
    y = layers.LayerNormalization(name="norm")(y)
    return keras.Model(x_in, layers.Dense(words, activation="softmax", name="next")(y))


def lstm(length):
    x_in = keras.Input((length, 64))
    y = layers.LSTM(128, name="lstm")(x_in)
    return keras.Model(x_in, layers.Dense(10, activation="softmax", name="d1")(y))


def lstm12():
    return lstm(12)


def lstm400():
    return lstm(400)


MODELS = {f.__name__: f for f in (quickstart, mlp, conv_net, resnet50, transformer, lstm12, lstm400)}
OPTIMIZERS = {"adam": keras.optimizers.Adam, "rmsprop": keras.optimizers.RMSprop, "sgd": keras.optimizers.SGD}
