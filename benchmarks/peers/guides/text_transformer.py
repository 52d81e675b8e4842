"""Text classification with Transformer"""

import keras
from keras import layers, ops

from guides.guide import Guide, classes


class Example(Guide):
    class Block(layers.Layer):
        def __init__(self):
            super().__init__()
            self.att = layers.MultiHeadAttention(2, 16)
            self.up, self.down = layers.Dense(32, activation="relu"), layers.Dense(16)
            self.norm, self.last = layers.LayerNormalization(epsilon=1e-6), layers.LayerNormalization(epsilon=1e-6)

        def call(self, x):
            x = self.norm(x + self.att(x, x))
            return self.last(x + self.down(self.up(x)))

    class Embedding(layers.Layer):
        def __init__(self):
            super().__init__()
            self.token, self.place = layers.Embedding(200, 16), layers.Embedding(10, 16)

        def call(self, x):
            return self.token(x) + self.place(ops.arange(10))

    def model(self):
        # the names of the classes are those of the layers' groups in the file
        block = type("TransformerBlock", (self.Block,), {})
        embedding = type("TokenAndPositionEmbedding", (self.Embedding,), {})
        x = keras.Input((10,), dtype="int32")
        y = layers.GlobalAveragePooling1D()(block()(embedding()(x)))
        model = keras.Model(x, layers.Dense(2, activation="softmax")(layers.Dense(20, activation="relu")(y)))
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return classes(1, 200, 48, 10), classes(2, 2, 48)
