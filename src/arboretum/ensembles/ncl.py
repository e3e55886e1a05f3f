"""Small networks trained together by negative correlation learning (diversity, section 5.4)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from arboretum.ensembles.parameters import choice, constraints, number, whole
from arboretum.trees.columns import with_different_names

Array = np.ndarray


class NCLEnsemble(ClassifierMixin, BaseEstimator):
    """Networks of one hidden layer that share one objective (Proposition 5.4.1).

    With q_i the answer of network i, qbar their combination, and l a Bregman divergence to the true distribution y:

        (1/M) sum_i [l(y, q_i) - lam (l(y, q_i) - l(y, qbar))]  =  (1 - lam) mean member loss + lam ensemble loss

    and by Theorem 4.2.1 this is the mean member loss less lam times the diversity. lam = 0 trains every network for
    itself, lam = 1 the ensemble as one network.

    Parameters
    ----------
    loss : "squared" has linear outputs, half the squared error and the arithmetic mean; "kl" has softmax outputs, the
        KL-divergence and the normalised geometric mean. Both give the same gradient with respect to the outputs z_i
        before the link: (1/M) [(q_i - y) - lam (q_i - qbar)].
    lam : lambda, weight of the diversity, from 0 to 1.
    hidden : tanh units of each network.
    learning_rate, n_steps : of Adam (Kingma and Ba 2015) on all training cases at once.

    Inputs are standardised on the training part.

    References
    ----------
    Moser (2023), Model Correlation in Random Forests, section 5.4; Liu and Yao (1999).
    """

    kinds: ClassVar = {"ncl": {}}
    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "random_state",
        loss=choice("squared", "kl"),
        lam=number(0, 1),
        hidden=whole(1),
        learning_rate=number(0),
        n_steps=whole(1),
    )

    def __init__(
        self,
        loss="squared",
        lam=0.5,
        n_estimators=10,
        hidden=8,
        *,
        learning_rate=0.02,
        n_steps=300,
        random_state=None,
    ):
        self.loss = loss
        self.lam = lam
        self.n_estimators = n_estimators
        self.hidden = hidden
        self.learning_rate = learning_rate
        self.n_steps = n_steps
        self.random_state = random_state

    def _check_parameters(self):
        self._validate_params()

    def fit(self, X, y):
        """Train all networks together."""
        self._check_parameters()
        X, y = validate_data(self, with_different_names(X), y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("the training data holds only one class; a classifier needs at least two classes")
        self.centre_, spread = X.mean(axis=0), X.std(axis=0)
        self.scale_ = np.where(spread > 1e-12, spread, 1.0)
        inputs, targets = (X - self.centre_) / self.scale_, np.eye(len(self.classes_))[codes]
        self.weights_ = self._first_weights(X.shape[1], len(self.classes_))
        self._train(inputs, targets)
        return self

    def _first_weights(self, features: int, classes: int) -> list[Array]:
        """Random weights of all networks: input to hidden, its bias, hidden to output, its bias."""
        rng, members, hidden = check_random_state(self.random_state), self.n_estimators, self.hidden
        return [
            rng.normal(size=(members, features, hidden)) / np.sqrt(features),
            np.zeros((members, 1, hidden)),
            rng.normal(size=(members, hidden, classes)) / np.sqrt(hidden),
            np.zeros((members, 1, classes)),
        ]

    def _train(self, inputs: Array, targets: Array) -> None:
        """Adam; the number of steps is fixed, so that no machine stops earlier than another."""
        means, squares = ([np.zeros_like(w) for w in self.weights_] for _ in range(2))
        for step in range(1, self.n_steps + 1):
            _, gradients = self._objective(inputs, targets)
            for w, g, mean, square in zip(self.weights_, gradients, means, squares, strict=True):
                mean += 0.1 * (g - mean)
                square += 0.001 * (g**2 - square)
                w -= self.learning_rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)

    def _objective(self, inputs: Array, targets: Array) -> tuple[float, list[Array]]:
        """The shared objective and its gradients; networks' weights are scaled alike by 1/M, which Adam ignores."""
        second = self.weights_[2]
        units, outputs = self._forward(inputs)
        answers, combined = self._link(outputs), self._link(outputs.mean(axis=0))
        members, cases = len(outputs), len(inputs)
        value = (1 - self.lam) * self._loss(targets, answers) + self.lam * self._loss(targets, combined)
        slope = ((answers - targets) - self.lam * (answers - combined)) / (members * cases)
        back = slope @ second.transpose(0, 2, 1) * (1 - units**2)
        gradients = [
            inputs.T @ back,
            back.sum(axis=1, keepdims=True),
            units.transpose(0, 2, 1) @ slope,
            slope.sum(axis=1, keepdims=True),
        ]
        return value, gradients

    def _forward(self, inputs: Array) -> tuple[Array, Array]:
        """Hidden units and outputs before the link: (members, cases, ...)."""
        first, first_bias, second, second_bias = self.weights_
        units = np.tanh(inputs @ first + first_bias)
        return units, units @ second + second_bias

    def _link(self, outputs: Array) -> Array:
        """Answers; the mean of softmax arguments gives the normalised geometric mean of the answers."""
        return outputs if self.loss == "squared" else softmax(outputs, axis=-1)

    def _loss(self, targets: Array, answers: Array) -> float:
        """Mean loss of true distributions, each certain of its class."""
        if self.loss == "squared":
            return float(np.mean(np.sum((answers - targets) ** 2, axis=-1)) / 2)
        return float(-np.mean(np.sum(targets * np.log(np.maximum(answers, 1e-300)), axis=-1)))

    # ------------------------------------------------------------------ reading

    def _outputs(self, X) -> Array:
        check_is_fitted(self, "weights_")
        X = validate_data(self, with_different_names(X), reset=False, dtype=np.float64)
        return self._forward((X - self.centre_) / self.scale_)[1]

    def member_answers(self, X) -> Array:
        """q_i of each network: (members, cases, classes)."""
        return self._link(self._outputs(X))

    def combined_answer(self, X) -> Array:
        """qbar: the arithmetic mean (squared) or the normalised geometric mean (kl): (cases, classes)."""
        return self._link(self._outputs(X).mean(axis=0))

    def predict_proba(self, X) -> Array:
        """qbar; for squared loss the nearest point of the simplex."""
        answer = self.combined_answer(X)
        return answer if self.loss == "kl" else on_simplex(answer)

    def predict_log_proba(self, X) -> Array:
        """Logarithms of the class probabilities; minus infinity for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X) -> Array:
        """The class of the greatest answer."""
        answer = self.combined_answer(X)
        return self.classes_[np.argmax(answer, axis=1)]


def on_simplex(points: Array) -> Array:
    """Euclidean projection of each row onto the simplex (Held, Wolfe, Crowder 1974); entries keep their order."""
    ordered = -np.sort(-points, axis=1)
    above = (np.cumsum(ordered, axis=1) - 1) / np.arange(1, points.shape[1] + 1)
    kept = np.sum(ordered > above, axis=1)
    return np.maximum(points - above[np.arange(len(points)), kept - 1][:, None], 0)
