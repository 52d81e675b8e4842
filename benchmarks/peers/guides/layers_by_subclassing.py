"""Making new layers and models via subclassing"""

import keras
from keras import layers, ops

from guides.guide import Guide, fractions


class Linear(layers.Layer):
    def __init__(self, units, **options):
        super().__init__(**options)
        self.units = units

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="random_normal", name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, x):
        return ops.matmul(x, self.w) + self.b


class ActivityRegularization(layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, x):
        self.add_loss(self.rate * ops.sum(x))
        return x


class MLPBlock(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = Linear(32, name="first"), Linear(32, name="second"), Linear(3, name="third")
        self.activity = ActivityRegularization(1e-2)

    def call(self, x):
        x = self.activity(ops.relu(self.first(x)))
        return self.third(ops.relu(self.second(x)))


class Example(Guide):
    epochs = 3

    def model(self):
        model = MLPBlock()
        model(fractions(1, 1, 8))  # makes the variables
        model.compile("adam", loss="mse")
        return model

    def data(self):
        return fractions(1, 48, 8), fractions(2, 48, 3)
