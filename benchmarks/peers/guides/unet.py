"""Image segmentation with a U-Net-like architecture"""

import keras
from keras import layers

from guides.guide import Guide, classes, fractions


class Example(Guide):
    batch = 6

    def model(self):
        def norm(x):
            return layers.BatchNormalization()(x)

        def relu(x):
            return layers.Activation("relu")(x)

        image = keras.Input((16, 16, 3))
        x = relu(norm(layers.Conv2D(8, 3, strides=2, padding="same")(image)))
        previous = x
        for n in [16]:
            x = norm(layers.SeparableConv2D(n, 3, padding="same")(relu(x)))
            x = norm(layers.SeparableConv2D(n, 3, padding="same")(relu(x)))
            x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
            x = previous = layers.add([x, layers.Conv2D(n, 1, strides=2, padding="same")(previous)])
        for n in [16, 8]:
            x = norm(layers.Conv2DTranspose(n, 3, padding="same")(relu(x)))
            x = norm(layers.Conv2DTranspose(n, 3, padding="same")(relu(x)))
            x = layers.UpSampling2D(2)(x)
            residual = layers.Conv2D(n, 1, padding="same")(layers.UpSampling2D(2)(previous))
            x = previous = layers.add([x, residual])
        model = keras.Model(image, layers.Conv2D(3, 3, activation="softmax", padding="same")(x))
        model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy")
        return model

    def data(self):
        return fractions(1, 12, 16, 16, 3), classes(2, 3, 12, 16, 16, 1)

    def show(self, model, x):
        return model.predict(x[:2], verbose=0)
