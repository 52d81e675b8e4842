"""Classification with Gated Residual and Variable Selection Networks"""

import keras
from keras import layers, ops

from guides.guide import Guide, classes, fractions

numeric_features = ["age", "dividends", "wage"]
categorical_features = {"education": 7, "sex": 2, "union": 3}
encoding_size, dropout_rate = 8, 0.15


class GatedLinearUnit(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.linear = layers.Dense(units)
        self.sigmoid = layers.Dense(units, activation="sigmoid")

    def call(self, inputs):
        return self.linear(inputs) * self.sigmoid(inputs)


class GatedResidualNetwork(layers.Layer):
    def __init__(self, units, dropout_rate):
        super().__init__()
        self.units = units
        self.elu_dense = layers.Dense(units, activation="elu")
        self.linear_dense = layers.Dense(units)
        self.dropout = layers.Dropout(dropout_rate)
        self.gated_linear_unit = GatedLinearUnit(units)
        self.layer_norm = layers.LayerNormalization()
        self.project = layers.Dense(units)

    def call(self, inputs):
        x = self.elu_dense(inputs)
        x = self.linear_dense(x)
        x = self.dropout(x)
        if inputs.shape[-1] != self.units:
            inputs = self.project(inputs)
        x = inputs + self.gated_linear_unit(x)
        return self.layer_norm(x)


class VariableSelection(layers.Layer):
    def __init__(self, num_features, units, dropout_rate):
        super().__init__()
        # a GRN for each feature, and one for all together
        self.grns = [GatedResidualNetwork(units, dropout_rate) for _ in range(num_features)]
        self.grn_concat = GatedResidualNetwork(units, dropout_rate)
        self.softmax = layers.Dense(units=num_features, activation="softmax")

    def call(self, inputs):
        v = ops.concatenate(inputs, axis=-1)
        v = self.grn_concat(v)
        v = ops.expand_dims(self.softmax(v), axis=-1)
        x = []
        for idx, input in enumerate(inputs):
            x.append(self.grns[idx](input))
        x = ops.stack(x, axis=1)
        return ops.squeeze(ops.matmul(ops.transpose(v, axes=[0, 2, 1]), x), axis=1)


def create_model_inputs():
    inputs = {}
    for feature_name in numeric_features:
        inputs[feature_name] = layers.Input(name=feature_name, shape=(1,), dtype="float32")
    for feature_name in categorical_features:
        inputs[feature_name] = layers.Input(name=feature_name, shape=(), dtype="int32")
    return inputs


def encode_inputs(inputs, encoding_size):
    encoded_features = []
    for feature_name in numeric_features:
        encoded_features.append(layers.Dense(units=encoding_size)(inputs[feature_name]))
    for feature_name, vocabulary_size in categorical_features.items():
        embedding = layers.Embedding(input_dim=vocabulary_size, output_dim=encoding_size)
        encoded_features.append(embedding(inputs[feature_name]))
    return encoded_features


class Example(Guide):
    def model(self):
        inputs = create_model_inputs()
        feature_list = encode_inputs(inputs, encoding_size)
        num_features = len(feature_list)
        features = VariableSelection(num_features, encoding_size, dropout_rate)(feature_list)
        outputs = layers.Dense(units=1, activation="sigmoid")(features)
        model = keras.Model(inputs=inputs, outputs=outputs)
        model.compile(
            optimizer=keras.optimizers.Adam(learning_rate=0.001),
            loss=keras.losses.BinaryCrossentropy(),
            metrics=[keras.metrics.BinaryAccuracy(name="accuracy")],
        )
        return model

    def data(self):
        x = {name: fractions(i, 48, 1) for i, name in enumerate(numeric_features)}
        x.update({name: classes(i + len(numeric_features), n, 48) for i, (name, n) in enumerate(categorical_features.items())})
        return x, fractions(9, 48, 1).round()

    def show(self, model, x):
        return model.predict({name: values[:6] for name, values in x.items()}, verbose=0)
