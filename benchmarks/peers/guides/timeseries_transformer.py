"""Timeseries classification with a Transformer model"""

import keras
from keras import layers

from guides.guide import Guide, classes, fractions

n_classes = 3


def transformer_encoder(inputs, head_size, num_heads, ff_dim, dropout=0):
    # Attention and Normalization
    x = layers.MultiHeadAttention(key_dim=head_size, num_heads=num_heads, dropout=dropout)(inputs, inputs)
    x = layers.Dropout(dropout)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    res = x + inputs

    # Feed Forward Part
    x = layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(res)
    x = layers.Dropout(dropout)(x)
    x = layers.Conv1D(filters=inputs.shape[-1], kernel_size=1)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    return x + res


def build_model(
    input_shape,
    head_size,
    num_heads,
    ff_dim,
    num_transformer_blocks,
    mlp_units,
    dropout=0,
    mlp_dropout=0,
):
    inputs = keras.Input(shape=input_shape)
    x = inputs
    for _ in range(num_transformer_blocks):
        x = transformer_encoder(x, head_size, num_heads, ff_dim, dropout)

    x = layers.GlobalAveragePooling1D(data_format="channels_last")(x)
    for dim in mlp_units:
        x = layers.Dense(dim, activation="relu")(x)
        x = layers.Dropout(mlp_dropout)(x)
    outputs = layers.Dense(n_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


class Example(Guide):
    epochs = 3

    def model(self):
        model = build_model(
            (16, 4),
            head_size=8,
            num_heads=2,
            ff_dim=4,
            num_transformer_blocks=2,
            mlp_units=[16],
            mlp_dropout=0.4,
            dropout=0.25,
        )
        model.compile(
            loss="sparse_categorical_crossentropy",
            optimizer=keras.optimizers.Adam(learning_rate=1e-3),
            metrics=["sparse_categorical_accuracy"],
        )
        return model

    def data(self):
        return fractions(1, 45, 16, 4), classes(2, n_classes, 45)

    def fit(self, model, x, y):
        callbacks = [keras.callbacks.EarlyStopping(patience=1, restore_best_weights=True)]
        history = model.fit(
            x,
            y,
            validation_split=0.2,
            epochs=self.epochs,
            batch_size=self.batch,
            callbacks=callbacks,
            shuffle=False,
            verbose=0,
        )
        return history.history["loss"] + history.history["val_loss"]
