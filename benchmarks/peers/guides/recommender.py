"""Collaborative Filtering for Movie Recommendations"""

import keras
import numpy as np
from keras import layers, ops

from guides.guide import Guide, classes, fractions

num_users, num_movies = 20, 30


class RecommenderNet(keras.Model):
    def __init__(self, num_users, num_movies, embedding_size, **kwargs):
        super().__init__(**kwargs)
        self.user_embedding = layers.Embedding(
            num_users,
            embedding_size,
            embeddings_initializer="he_normal",
            embeddings_regularizer=keras.regularizers.l2(1e-6),
        )
        self.user_bias = layers.Embedding(num_users, 1)
        self.movie_embedding = layers.Embedding(
            num_movies,
            embedding_size,
            embeddings_initializer="he_normal",
            embeddings_regularizer=keras.regularizers.l2(1e-6),
        )
        self.movie_bias = layers.Embedding(num_movies, 1)

    def call(self, inputs):
        user_vector = self.user_embedding(inputs[:, 0])
        user_bias = self.user_bias(inputs[:, 0])
        movie_vector = self.movie_embedding(inputs[:, 1])
        movie_bias = self.movie_bias(inputs[:, 1])
        dot_user_movie = ops.tensordot(user_vector, movie_vector, 2)
        x = dot_user_movie + user_bias + movie_bias
        # the rating is between 0 and 1
        return ops.sigmoid(x)


class Example(Guide):
    def model(self):
        model = RecommenderNet(num_users, num_movies, 8)
        model(np.zeros((1, 2), "int32"))
        model.compile(
            loss=keras.losses.BinaryCrossentropy(),
            optimizer=keras.optimizers.Adam(learning_rate=0.001),
        )
        return model

    def ratings(self, seed, count):
        x = np.stack([classes(seed, num_users, count), classes(seed + 1, num_movies, count)], axis=1)
        return x, fractions(seed + 2, count, 1)

    def data(self):
        return self.ratings(1, 36)

    def fit(self, model, x, y):
        history = model.fit(
            x=x,
            y=y,
            batch_size=self.batch,
            epochs=self.epochs,
            validation_data=self.ratings(11, 12),
            shuffle=False,
            verbose=0,
        )
        return history.history["loss"] + history.history["val_loss"]

    def show(self, model, x):
        """The movies that the first user has not seen, the best three first, and their ratings."""
        seen = set(x[x[:, 0] == 0][:, 1])
        movies = [[0, movie] for movie in range(num_movies) if movie not in seen]
        ratings = model.predict(np.array(movies), batch_size=len(movies), verbose=0).flatten()
        top = np.argsort(ratings)[::-1][:3]
        return np.array([[movies[i][1], ratings[i]] for i in top])
