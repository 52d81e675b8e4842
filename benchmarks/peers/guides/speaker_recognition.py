"""Speaker Recognition"""

import keras
import numpy as np
from keras import ops

from guides.guide import Guide, classes, fractions

sampling_rate, num_speakers = 128, 4


def add_noise(audio, noises, choice, scale=0.5):
    # a noise for each sample, as loud as it
    noise = ops.take(noises, choice, axis=0)
    prop = ops.max(audio, axis=1) / ops.max(noise, axis=1)
    prop = ops.repeat(ops.expand_dims(prop, axis=1), ops.shape(audio)[1], axis=1)
    return audio + noise * prop * scale


def audio_to_fft(audio):
    audio = ops.squeeze(audio, axis=-1)
    real, imag = ops.fft((audio, ops.zeros_like(audio)))
    fft = ops.expand_dims(ops.sqrt(ops.square(real) + ops.square(imag)), axis=-1)
    # the first half, which has the positive frequencies
    return fft[:, : (audio.shape[1] // 2), :]


def residual_block(x, filters, conv_num=3, activation="relu"):
    # Shortcut
    s = keras.layers.Conv1D(filters, 1, padding="same")(x)
    for i in range(conv_num - 1):
        x = keras.layers.Conv1D(filters, 3, padding="same")(x)
        x = keras.layers.Activation(activation)(x)
    x = keras.layers.Conv1D(filters, 3, padding="same")(x)
    x = keras.layers.Add()([x, s])
    x = keras.layers.Activation(activation)(x)
    return keras.layers.MaxPool1D(pool_size=2, strides=2)(x)


def build_model(input_shape, num_classes):
    inputs = keras.layers.Input(shape=input_shape, name="input")
    x = residual_block(audio_to_fft(inputs), 4, 2)
    x = residual_block(x, 8, 2)
    x = residual_block(x, 8, 3)
    x = keras.layers.AveragePooling1D(pool_size=3, strides=3)(x)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dense(32, activation="relu")(x)
    x = keras.layers.Dense(16, activation="relu")(x)
    outputs = keras.layers.Dense(num_classes, activation="softmax", name="output")(x)
    return keras.Model(inputs=inputs, outputs=outputs)


class Example(Guide):
    def model(self):
        model = build_model((sampling_rate, 1), num_speakers)
        model.compile(optimizer="Adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        audio = fractions(1, 24, sampling_rate, 1)
        audio = add_noise(audio - 0.5, fractions(2, 6, sampling_rate, 1) - 0.5, classes(3, 6, 24))
        return np.array(audio), classes(4, num_speakers, 24)
