"""Timeseries forecasting for weather prediction"""

import keras
import numpy as np
from keras import layers

from guides.guide import Guide, fractions


class Example(Guide):
    batch = 24
    length, past, future, every = 140, 20, 6, 2

    def model(self):
        x = keras.Input((self.past // self.every, 7))
        model = keras.Model(x, layers.Dense(1, name="later")(layers.LSTM(32, name="lstm")(x)))
        model.compile(keras.optimizers.Adam(0.001), loss="mse")
        return model

    def data(self):
        """The windows that timeseries_dataset_from_array makes, which needs TensorFlow."""
        series = fractions(1, self.length, 7)
        targets = series[self.past + self.future :, 1:2]
        count = min(len(series) - (self.past // self.every - 1) * self.every, len(targets))
        x = np.stack([series[i : i + self.past : self.every] for i in range(count)])
        return x, targets[:count]

    def show(self, model, x):
        return model.predict(x[: self.batch], verbose=0)
