"""Node Classification with Graph Neural Networks"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions

num_nodes, num_edges, num_features, num_classes = 20, 50, 6, 4
hidden_units, dropout_rate = [16], 0.5


def create_ffn(hidden_units, dropout_rate, name=None):
    fnn_layers = []
    for units in hidden_units:
        fnn_layers.append(layers.BatchNormalization())
        fnn_layers.append(layers.Dropout(dropout_rate))
        fnn_layers.append(layers.Dense(units, activation="gelu"))
    return keras.Sequential(fnn_layers, name=name)


class GraphConvLayer(layers.Layer):
    def __init__(self, hidden_units, dropout_rate=0.2, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.ffn_prepare = create_ffn(hidden_units, dropout_rate)
        self.update_fn = create_ffn(hidden_units, dropout_rate)

    def prepare(self, node_representations, weights):
        messages = self.ffn_prepare(node_representations)
        return messages * ops.expand_dims(weights, -1)

    def aggregate(self, node_indices, neighbour_messages, node_representations):
        num_nodes = node_representations.shape[0]
        return ops.segment_sum(neighbour_messages, node_indices, num_segments=num_nodes)

    def update(self, node_representations, aggregated_messages):
        h = ops.concatenate([node_representations, aggregated_messages], axis=1)
        node_embeddings = self.update_fn(h)
        return ops.normalize(node_embeddings, axis=-1)

    def call(self, inputs):
        node_representations, edges, edge_weights = inputs
        node_indices, neighbour_indices = edges[0], edges[1]
        neighbour_representations = ops.take(node_representations, neighbour_indices, axis=0)
        neighbour_messages = self.prepare(neighbour_representations, edge_weights)
        aggregated_messages = self.aggregate(node_indices, neighbour_messages, node_representations)
        return self.update(node_representations, aggregated_messages)


class GNNNodeClassifier(keras.Model):
    def __init__(self, graph_info, num_classes, hidden_units, dropout_rate=0.2, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.node_features, self.edges, edge_weights = graph_info
        self.edge_weights = edge_weights / ops.sum(edge_weights)
        self.preprocess = create_ffn(hidden_units, dropout_rate, name="preprocess")
        self.conv1 = GraphConvLayer(hidden_units, dropout_rate, name="graph_conv1")
        self.conv2 = GraphConvLayer(hidden_units, dropout_rate, name="graph_conv2")
        self.postprocess = create_ffn(hidden_units, dropout_rate, name="postprocess")
        self.compute_logits = layers.Dense(units=num_classes, name="logits")

    # On JAX fit calls this directly: layers are trained only if they are told.
    def call(self, input_node_indices, training=None):
        x = self.preprocess(self.node_features, training=training)
        x1 = self.conv1((x, self.edges, self.edge_weights), training=training)
        x = x1 + x
        x2 = self.conv2((x, self.edges, self.edge_weights), training=training)
        x = x2 + x
        x = self.postprocess(x, training=training)
        node_embeddings = ops.take(x, input_node_indices, axis=0)
        return self.compute_logits(node_embeddings)


class Example(Guide):
    batch = 6

    def model(self):
        node_features, edges, edge_weights = self.graph()
        gnn_model = GNNNodeClassifier(
            graph_info=(node_features, edges, edge_weights),
            num_classes=num_classes,
            hidden_units=hidden_units,
            dropout_rate=dropout_rate,
            name="gnn_model",
        )
        gnn_model(np.array([1, 10, 15]))
        gnn_model.compile(
            optimizer=keras.optimizers.Adam(0.01),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=[keras.metrics.SparseCategoricalAccuracy(name="acc")],
        )
        return gnn_model

    def graph(self):
        return (
            ops.convert_to_tensor(fractions(1, num_nodes, num_features)),
            ops.convert_to_tensor(classes(2, num_nodes, 2, num_edges)),
            ops.ones(num_edges),
        )

    def data(self):
        return np.arange(18, dtype="int32"), classes(4, num_classes, 18)
