"""Customizing what happens in fit()"""

import jax
import keras
from keras import layers

from guides.guide import Guide, fractions


class Example(Guide):
    epochs = 3

    class Model(keras.Model):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.loss_tracker, self.mae = keras.metrics.Mean(name="loss"), keras.metrics.MeanAbsoluteError(name="mae")
            self.mse = keras.losses.MeanSquaredError()

        def values_and_updates(self, trainable, rest, x, y):
            predictions, rest = self.stateless_call(trainable, rest, x, training=True)
            return self.mse(y, predictions), (predictions, rest)

        def train_step(self, state, data):
            trainable, rest, slots, totals = state
            x, y = data
            (loss, (predictions, rest)), gradients = jax.value_and_grad(self.values_and_updates, has_aux=True)(trainable, rest, x, y)
            trainable, slots = self.optimizer.stateless_apply(slots, gradients, trainable)
            n = len(self.loss_tracker.variables)
            tracker = self.loss_tracker.stateless_update_state(totals[:n], loss)
            mae = self.mae.stateless_update_state(totals[n:], y, predictions)
            logs = {"loss": self.loss_tracker.stateless_result(tracker), "mae": self.mae.stateless_result(mae)}
            return logs, (trainable, rest, slots, [*tracker, *mae])

        @property
        def metrics(self):
            return [self.loss_tracker, self.mae]

    def model(self):
        x = keras.Input((32,))
        model = self.Model(x, layers.Dense(1, name="one")(layers.Dense(32, activation="relu", name="hidden")(x)))
        model.compile("adam")
        return model

    def data(self):
        return fractions(1, 48, 32), fractions(2, 48, 1)
