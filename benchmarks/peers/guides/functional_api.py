"""The Functional API: several inputs and outputs"""

import keras
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    def model(self):
        title = keras.Input((6,), name="title", dtype="int32")
        text = keras.Input((10,), name="text", dtype="int32")
        tagged = keras.Input((12,), name="tags")
        words = layers.Embedding(100, 16)
        x = layers.concatenate([layers.LSTM(16)(words(title)), layers.LSTM(8)(words(text)), tagged])
        model = keras.Model([title, text, tagged], [layers.Dense(1, name="priority")(x), layers.Dense(4, name="department")(x)])
        model.compile(
            "rmsprop",
            loss={"priority": keras.losses.BinaryCrossentropy(from_logits=True), "department": keras.losses.SparseCategoricalCrossentropy(from_logits=True)},
            loss_weights={"priority": 1.0, "department": 0.2},
        )
        return model

    def data(self):
        x = [classes(1, 100, 48, 6), classes(2, 100, 48, 10), fractions(3, 48, 12)]
        return x, [classes(4, 2, 48, 1), classes(5, 4, 48)]
