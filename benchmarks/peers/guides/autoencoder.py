"""Convolutional autoencoder for image denoising"""

import keras
import numpy as np
from keras import layers

from guides.guide import Guide, fractions


class Example(Guide):
    def model(self):
        x = image = keras.Input((12, 12, 1))
        for _ in range(2):
            x = layers.MaxPooling2D(2, padding="same")(layers.Conv2D(8, 3, activation="relu", padding="same")(x))
        for _ in range(2):
            x = layers.Conv2DTranspose(8, 3, strides=2, activation="relu", padding="same")(x)
        model = keras.Model(image, layers.Conv2D(1, 3, activation="sigmoid", padding="same")(x))
        model.compile("adam", "binary_crossentropy")
        return model

    def data(self):
        clean, noise = fractions(1, 24, 12, 12, 1), fractions(2, 24, 12, 12, 1)
        return np.minimum(clean + np.float32(0.4) * noise, 1), clean
