"""Image Super-Resolution using an Efficient Sub-Pixel CNN"""

import math

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, fractions

crop_size, upscale_factor = 12, 3
input_size = crop_size // upscale_factor


class DepthToSpace(layers.Layer):
    def __init__(self, block_size):
        super().__init__()
        self.block_size = block_size

    def call(self, input):
        batch, height, width, depth = ops.shape(input)
        depth = depth // (self.block_size**2)
        x = ops.reshape(input, [batch, height, width, self.block_size, self.block_size, depth])
        x = ops.transpose(x, [0, 1, 3, 2, 4, 5])
        return ops.reshape(x, [batch, height * self.block_size, width * self.block_size, depth])


class ESPCNCallback(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.means = []

    # The PSNR of the batches of an epoch
    def on_epoch_begin(self, epoch, logs=None):
        self.psnr = []

    def on_epoch_end(self, epoch, logs=None):
        self.means.append(np.mean(self.psnr))

    def on_test_batch_end(self, batch, logs=None):
        self.psnr.append(10 * math.log10(1 / logs["loss"]))


class Example(Guide):
    def model(self, channels=1):
        conv_args = {
            "activation": "relu",
            "kernel_initializer": "orthogonal",
            "padding": "same",
        }
        inputs = keras.Input(shape=(None, None, channels))
        x = layers.Conv2D(16, 5, **conv_args)(inputs)
        x = layers.Conv2D(16, 3, **conv_args)(x)
        x = layers.Conv2D(8, 3, **conv_args)(x)
        x = layers.Conv2D(channels * (upscale_factor**2), 3, **conv_args)(x)
        outputs = DepthToSpace(upscale_factor)(x)
        model = keras.Model(inputs, outputs)
        model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.001), loss=keras.losses.MeanSquaredError())
        return model

    def crops(self, seed, count):
        target = fractions(seed, count, crop_size, crop_size, 1)
        return np.array(ops.image.resize(target, (input_size, input_size), interpolation="bicubic", antialias=True)), target

    def data(self):
        return self.crops(1, 24)

    def fit(self, model, x, y):
        espcn_callback = ESPCNCallback()
        history = model.fit(
            x,
            y,
            batch_size=self.batch,
            epochs=self.epochs,
            callbacks=[espcn_callback],
            validation_data=self.crops(2, 12),
            shuffle=False,
            verbose=0,
        )
        return [*history.history["loss"], *espcn_callback.means]

    def show(self, model, x):
        """Images of another size than those of the training."""
        return model.predict(fractions(5, 2, 7, 5, 1), verbose=0)
