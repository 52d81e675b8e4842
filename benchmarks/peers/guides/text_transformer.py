"""Text classification with Transformer"""

import keras
from keras import layers, ops

from guides.guide import Guide, classes


class Example(Guide):
    class Block(layers.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.att = layers.MultiHeadAttention(2, 16, name="att")
            self.up, self.down = layers.Dense(32, activation="relu", name="up"), layers.Dense(16, name="down")
            self.norm, self.last = layers.LayerNormalization(epsilon=1e-6, name="norm"), layers.LayerNormalization(epsilon=1e-6, name="last")

        def call(self, x):
            x = self.norm(x + self.att(x, x))
            return self.last(x + self.down(self.up(x)))

    class Embedding(layers.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.token, self.place = layers.Embedding(200, 16, name="token"), layers.Embedding(10, 16, name="place")

        def call(self, x):
            return self.token(x) + self.place(ops.arange(10))

    def model(self):
        # the names of the classes are those of the layers' groups in the file
        block = type("TransformerBlock", (self.Block,), {})
        embedding = type("TokenAndPositionEmbedding", (self.Embedding,), {})
        x = keras.Input((10,), dtype="int32")
        y = layers.GlobalAveragePooling1D()(block(name="block")(embedding(name="embedding")(x)))
        model = keras.Model(x, layers.Dense(2, activation="softmax", name="good")(layers.Dense(20, activation="relu", name="hidden")(y)))
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
        return model

    def data(self):
        return classes(1, 200, 48, 10), classes(2, 2, 48)
