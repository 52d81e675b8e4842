"""Bidirectional LSTM on IMDB"""

import keras
from keras import layers

from guides.guide import Guide, classes


class Example(Guide):
    def model(self):
        x = keras.Input((None,), dtype="int32")
        y = layers.Embedding(200, 16)(x)
        y = layers.Bidirectional(layers.LSTM(8, return_sequences=True))(y)
        y = layers.Bidirectional(layers.LSTM(8))(y)
        model = keras.Model(x, layers.Dense(1, activation="sigmoid")(y))
        model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        texts = [classes(i, 200, 5 + i % 14) for i in range(48)]
        return keras.utils.pad_sequences(texts, 12), classes(99, 2, 48)
