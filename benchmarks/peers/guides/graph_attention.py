"""Graph attention network (GAT) for node classification"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions


class Example(Guide):
    batch, papers, citations = 6, 20, 60

    class Layer(layers.Layer):
        def __init__(self, units, **options):
            super().__init__(**options)
            self.units = units

        def build(self, shapes):
            self.kernel = self.add_weight(shape=(shapes[0][-1], self.units), initializer="glorot_uniform", name="kernel")
            self.score = self.add_weight(shape=(2 * self.units, 1), initializer="glorot_uniform", name="score")

        def call(self, inputs):
            nodes, edges = inputs
            nodes = ops.matmul(nodes, self.kernel)
            pairs = ops.reshape(ops.take(nodes, edges, axis=0), (len(edges), -1))
            scores = ops.exp(ops.clip(ops.leaky_relu(ops.matmul(pairs, self.score))[:, 0], -2, 2))
            total = ops.segment_sum(scores, edges[:, 0], num_segments=nodes.shape[0])
            scores = scores / ops.take(total, edges[:, 0])
            return ops.segment_sum(ops.take(nodes, edges[:, 1], axis=0) * scores[:, None], edges[:, 0], num_segments=nodes.shape[0])

    class Network(keras.Model):
        def __init__(self, features, edges):
            super().__init__()
            self.features, self.edges = features, edges
            self.preprocess, self.subjects = layers.Dense(16, activation="relu"), layers.Dense(4)
            self.attention = type("GraphAttention", (Example.Layer,), {})(16)

        def call(self, papers):
            x = self.preprocess(ops.convert_to_tensor(self.features))
            x = self.attention([x, ops.convert_to_tensor(self.edges)]) + x
            return ops.take(self.subjects(x), papers[:, 0], axis=0)

    def model(self):
        edges = np.stack([classes(2, self.papers, self.citations), classes(3, self.papers, self.citations)], 1)
        model = self.Network(fractions(1, self.papers, 6), edges)
        model(np.zeros((2, 1), "int32"))
        model.compile(keras.optimizers.SGD(0.3, momentum=0.9), keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
        return model

    def data(self):
        return np.arange(18, dtype="int32")[:, None], classes(4, 4, 18)
