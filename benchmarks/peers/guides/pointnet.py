"""Point cloud classification with PointNet"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions

num_points, num_classes = 16, 4


def conv_bn(x, filters):
    x = layers.Conv1D(filters, kernel_size=1, padding="valid")(x)
    x = layers.BatchNormalization(momentum=0.0)(x)
    return layers.Activation("relu")(x)


def dense_bn(x, filters):
    x = layers.Dense(filters)(x)
    x = layers.BatchNormalization(momentum=0.0)(x)
    return layers.Activation("relu")(x)


class OrthogonalRegularizer(keras.regularizers.Regularizer):
    def __init__(self, num_features, l2reg=0.001):
        self.num_features = num_features
        self.l2reg = l2reg
        self.eye = ops.eye(num_features)

    def __call__(self, x):
        x = ops.reshape(x, (-1, self.num_features, self.num_features))
        xxt = ops.tensordot(x, x, axes=(2, 2))
        xxt = ops.reshape(xxt, (-1, self.num_features, self.num_features))
        return ops.sum(self.l2reg * ops.square(xxt - self.eye))


def tnet(inputs, num_features):
    # the bias begins as the identity matrix
    bias = keras.initializers.Constant(np.eye(num_features).flatten())
    reg = OrthogonalRegularizer(num_features)

    x = conv_bn(inputs, 8)
    x = conv_bn(x, 16)
    x = conv_bn(x, 32)
    x = layers.GlobalMaxPooling1D()(x)
    x = dense_bn(x, 16)
    x = dense_bn(x, 8)
    x = layers.Dense(
        num_features * num_features,
        kernel_initializer="zeros",
        bias_initializer=bias,
        activity_regularizer=reg,
    )(x)
    feat_T = layers.Reshape((num_features, num_features))(x)
    # affine transformation of the features
    return layers.Dot(axes=(2, 1))([inputs, feat_T])


class Example(Guide):
    def model(self):
        inputs = keras.Input(shape=(num_points, 3))
        x = tnet(inputs, 3)
        x = conv_bn(x, 8)
        x = tnet(x, 8)
        x = conv_bn(x, 8)
        x = conv_bn(x, 16)
        x = layers.GlobalMaxPooling1D()(x)
        x = dense_bn(x, 16)
        x = layers.Dropout(0.3)(x)
        outputs = layers.Dense(num_classes, activation="softmax")(x)
        model = keras.Model(inputs=inputs, outputs=outputs, name="pointnet")
        model.compile(
            loss="sparse_categorical_crossentropy",
            optimizer=keras.optimizers.Adam(learning_rate=0.001, epsilon=0.001),
            metrics=["sparse_categorical_accuracy"],
        )
        return model

    def data(self):
        return fractions(1, 24, num_points, 3), classes(2, num_classes, 24)
