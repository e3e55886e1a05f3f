"""Statements on losses, centres and decompositions (chapters 1, 2, 3 and 4.1-4.3, section 5.4), by claim.

Each is a function of a random generator that makes one finite problem and yields (kind, statement, variant, value).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.special import entr, softmax

from arboretum.measures.decomposition import (
    ambiguity,
    bias_variance_covariance,
    bias_without_draws,
    decompose,
    diversity_without_labels,
    variance_without_labels,
)
from arboretum.measures.diversity_measures import kohavi_wolpert
from arboretum.measures.losses import (
    KL,
    Absolute,
    Bregman,
    GeneralisedI,
    ItakuraSaito,
    Logistic,
    Loss,
    Mahalanobis,
    Poisson,
    Squared,
    ZeroOne,
)

Found = Iterator[tuple[str, str, str, float]]
MATRIX = np.array([[2.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 0.7]])
BREGMAN: list[Bregman] = [
    Squared(),
    Logistic(),
    ItakuraSaito(),
    Mahalanobis(MATRIX),
    KL(),
    GeneralisedI(),
    Poisson(),
]
LOSSES: list[Loss] = [*BREGMAN, ZeroOne(3), Absolute()]


def points(loss: Loss, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Random labels or predictions inside the domain of a loss; vectors have three components."""
    if loss.name == "0/1":
        return rng.integers(loss.n_classes, size=shape)
    if loss.name == "KL":
        return rng.dirichlet(np.ones(3), size=shape)
    size = (*shape, 3) if loss.vector else shape
    if loss.name == "logistic":
        return rng.uniform(0.02, 0.98, size)
    if loss.name in ("Itakura-Saito", "generalised I", "Poisson"):
        return rng.uniform(0.2, 4, size)
    return rng.normal(size=size)


def problem(loss: Loss, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Labels (draws, cases) and predictions (trials, members, cases), each draw and trial equally likely."""
    trials, members, cases, draws = rng.integers(1, 7, size=4)
    return points(loss, (draws, cases), rng), points(loss, (trials, members, cases), rng)


def exchangeable(loss: Loss, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The same with members that are alike: every rotation of the members of a trial is a trial."""
    labels, predictions = problem(loss, rng)
    members = predictions.shape[1]
    turned = [np.roll(predictions, shift, axis=1) for shift in range(members)]
    return labels, np.concatenate(turned)


def independent(loss: Loss, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The same with members that are independent given the sample: each is one of three models, all tuples a trial."""
    samples, members, cases, draws = (int(rng.integers(*span)) for span in ((1, 5), (2, 5), (1, 5), (1, 5)))
    models = points(loss, (samples, 3, cases), rng)
    chosen = np.array(list(np.ndindex(*[3] * members)))
    return points(loss, (draws, cases), rng), np.concatenate([models[sample][chosen] for sample in range(samples)])


# ------------------------------------------------------------------ chapter 1


def bias_variance(rng) -> Found:
    """Theorem 1.5.1 for one model, and with the loss-effects in their printed order."""
    for loss in LOSSES:
        labels, predictions = problem(loss, rng)
        parts = decompose(labels, predictions[:, :1], loss)
        total = parts.noise + parts.average_bias + parts.average_variance
        yield "identity", "risk = noise + bias-effect + variance-effect", loss.name, total - parts.expected_member_loss
        printed = parts.noise - parts.average_bias - parts.average_variance
        yield "value", "gap with the printed order of arguments", loss.name, printed - parts.expected_member_loss


def centroids(rng) -> Found:
    """Lemma 1.6.1: closed forms against a numeric minimum."""
    for loss in BREGMAN:
        q = points(loss, (5,), rng)
        for side, closed in (("left", loss.centre(q)), ("right", loss.label_centre(q))):
            numeric = numeric_centroid(loss, q, side)
            gap = round(float(np.abs(closed - numeric).max()), 5)  # a search ends elsewhere on another machine
            yield "identity", f"{side} centroid: closed form = numeric minimum", loss.name, gap
            slack = mean_divergence(loss, q, numeric, side) - mean_divergence(loss, q, closed, side)
            yield "inequality", f"{side} centroid: the search does not beat the closed form", loss.name, slack


def numeric_centroid(loss: Bregman, q: np.ndarray, side: str) -> np.ndarray:
    """argmin of the mean divergence; positive vectors are searched by their logarithms."""

    def mean_loss(z) -> float:
        return mean_divergence(loss, q, z, side)

    if not loss.vector:
        options = {"xatol": 1e-12}
        return minimize_scalar(mean_loss, bounds=(q.min(), q.max()), method="bounded", options=options).x
    options, start = {"gtol": 1e-9}, q.mean(axis=0)
    if loss.name in ("KL", "generalised I"):
        link = softmax if loss.name == "KL" else np.exp
        return link(minimize(lambda z: mean_loss(link(z)), np.log(start), method="BFGS", options=options).x)
    return minimize(mean_loss, start + 0.1, method="BFGS", options=options).x


def mean_divergence(loss: Bregman, q: np.ndarray, z: np.ndarray, side: str) -> float:
    return float(np.mean(loss.loss(z, q) if side == "left" else loss.loss(q, z)))


def combiners(rng) -> Found:
    """Figure 4.3: each centre is the mean of its name."""
    q = rng.uniform(0.1, 3, 6)
    shares = rng.dirichlet(np.ones(4), size=6)
    product = np.prod(shares, axis=0) ** (1 / 6)
    named = {
        "arithmetic mean (squared)": Squared().centre(q) - q.mean(),
        "geometric mean (Poisson)": Poisson().centre(q) - np.prod(q) ** (1 / 6),
        "harmonic mean (Itakura-Saito)": ItakuraSaito().centre(q) - 6 / np.sum(1 / q),
        "normalised geometric mean (KL)": np.abs(KL().centre(shares) - product / product.sum()).max(),
    }
    yield from (("identity", "combiner", name, value) for name, value in named.items())


# ------------------------------------------------------------------ chapter 2


def homogeneous(rng) -> Found:
    """Lemma 2.2.1: members that are alike share their centre with the combiner; not under 0/1 loss."""
    for loss in BREGMAN:
        parts = decompose(*exchangeable(loss, rng), loss)
        yield "identity", "ensemble bias = average bias of alike members", loss.name, parts.disparity
    parts = decompose(*exchangeable(ZeroOne(3), rng), ZeroOne(3))
    yield "value", "gap of the biases", "0/1", abs(parts.disparity)
    rows = [np.roll(np.repeat([0, 1], [7, 3]), turn) for turn in range(10)] * 11 + [np.ones(10, int)] * 90
    votes = np.array(rows)[:, :, None]  # 11 of 20 samples make 7 of 10 members say A
    counter = decompose(np.array([0]), votes, ZeroOne(2))
    yield "value", "counter-example: members that say A", "0/1", np.mean(votes == 0)
    yield "value", "counter-example: votes that say A", "0/1", 1 - counter.expected_ensemble_loss
    yield "value", "counter-example: average bias less ensemble bias", "0/1", counter.disparity


def jensen(rng) -> Found:
    """Corollary 2.3.1: the arithmetic mean against the mean member, for each loss."""
    for loss in [*BREGMAN, Absolute()]:
        y, q = points(loss, (), rng), points(loss, (5,), rng)
        slack = np.mean(loss.loss(y, q)) - loss.loss(y, q.mean(axis=0))
        convex = "not convex" if loss.name == "Itakura-Saito" else "convex"
        yield "inequality", f"loss of the arithmetic mean <= mean loss ({convex})", loss.name, slack
        if loss.name == "Itakura-Saito":
            slack = np.mean(loss.loss(y, q)) - loss.loss(y, loss.centre(q))
            yield "inequality", "loss of its own centre <= mean loss", loss.name, slack


def variance_of_a_mean(rng) -> Found:
    """Section 2.3: Var(mean) = sigma^2 / M + (M - 1) / M rho sigma^2 for members that are alike."""
    _, predictions = exchangeable(Squared(), rng)
    members, values = predictions.shape[1], predictions[:, :, 0]
    gaps = values - values.mean(axis=0)
    variance = np.mean(gaps**2)
    covariance = np.mean(gaps[:, 0] * gaps[:, -1]) if members == 2 else pair_mean(gaps)
    expected = variance / members + (members - 1) / members * covariance
    yield "identity", "variance of a mean", "alike members", np.var(values.mean(axis=1)) - expected


def pair_mean(gaps: np.ndarray) -> float:
    """Mean product of two different members; 0 for a single one."""
    members = gaps.shape[1]
    if members < 2:
        return 0.0
    return float(np.mean(gaps.sum(axis=1) ** 2 - np.sum(gaps**2, axis=1)) / (members * (members - 1)))


# ------------------------------------------------------------------ chapter 3


def impurities(rng) -> Found:
    """Proposition 3.1.1: an impurity is the leaf loss at the centre; entropy needs its sign, Gini the Brier loss."""
    values, labels = rng.normal(size=8), rng.integers(3, size=9)
    shares = np.bincount(labels, minlength=3) / 9
    onehot = np.eye(3)[labels]
    yield "identity", "variance", "squared error", np.mean(Squared().loss(values, values.mean())) - values.var()
    mode = ZeroOne(3).centre(labels)
    yield "identity", "error rate", "0/1 loss", np.mean(ZeroOne(3).loss(labels, mode)) - (1 - shares.max())
    yield "identity", "entropy", "log loss", np.mean(KL().loss(onehot, shares)) - entr(shares).sum()
    gini = 1 - np.sum(shares**2)
    yield "identity", "Gini", "Brier loss", np.mean(np.sum((onehot - shares) ** 2, axis=1)) - gini
    better = np.mean(1 - shares[labels]) - np.mean(1 - np.eye(3)[mode][labels])
    yield "value", "Gini: how much a vertex beats p under 1 - z_y", "linear loss", better
    other = rng.dirichlet(np.ones(3))
    slack = np.mean(np.sum((onehot - other) ** 2, axis=1)) - gini
    yield "inequality", "no distribution beats p under the Brier loss", "Brier loss", slack


def split_gain(rng) -> Found:
    """Lemma B.0.3: with the centre as the answer of a leaf, no division raises the loss."""
    for loss in LOSSES:
        y = points(loss, (8,), rng)
        parts = y[:3], y[3:]
        # the lemma puts the answer first: l(z, y)
        before = np.sum(loss.loss(loss.centre(y), y))
        after = sum(np.sum(loss.loss(loss.centre(part), part)) for part in parts)
        yield "inequality", "gain of a division >= 0", loss.name, before - after


def gini_forms(rng) -> Found:
    """Propositions B.0.4 and B.0.5."""
    p, u = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))

    def gini(z):
        return np.sum(z * (1 - z))

    distance = np.sum((p - 0.25) ** 2)
    yield "identity", "Gini = 1 - 1/k - distance to the uniform", "", gini(p) - (1 - 0.25 - distance)
    divergence = -gini(p) + gini(u) - np.sum((2 * u - 1) * (p - u))
    yield "identity", "minus Gini generates the squared distance", "", divergence - np.sum((p - u) ** 2)


def bootstrap_share(rng) -> Found:
    """Section 3.2.1: 1 - (1 - 1/n)^n."""
    for n in (10, 100, 1000, 100000):
        yield "value", "chance to be in a bootstrap sample", f"n = {n}", 1 - (1 - 1 / n) ** n


# ------------------------------------------------------------------ chapter 4


def kohavi_wolpert_parts(rng) -> Found:
    """Section 4.1.3, with the square that the printed noise lacks, and without."""
    label, vote = rng.dirichlet(np.ones(3), size=4), rng.dirichlet(np.ones(3), size=4)
    parts, error = kohavi_wolpert(label, vote), 1 - np.mean(np.sum(label * vote, axis=1))
    yield "identity", "error = (noise + bias + variance) / 2", "corrected", parts.error - error
    yield "value", "error = (noise + bias + variance) / 2", "as printed", (parts.bias + parts.variance) / 2 - error


def covariance(rng) -> Found:
    """Theorem 4.1.1."""
    labels, predictions = problem(Squared(), rng)
    terms, parts = bias_variance_covariance(labels[0], predictions), decompose(labels[0], predictions, Squared())
    statement = "ensemble error = bias^2 + var/M + (1 - 1/M) covar"
    yield "identity", statement, "corrected", terms.ensemble_loss - parts.expected_ensemble_loss
    bias = np.mean(predictions.mean(axis=(0, 1)) - labels[0])
    printed = terms.ensemble_loss - terms.squared_bias + bias
    yield "value", statement, "bias without its square", printed - parts.expected_ensemble_loss


def omega(rng) -> Found:
    """Section 4.1.6."""
    labels, predictions = problem(Squared(), rng)
    terms, parts = bias_variance_covariance(labels[0], predictions), decompose(labels[0], predictions, Squared())
    yield "identity", "member error = bias^2 + Omega", "", terms.member_loss - parts.expected_member_loss
    yield "identity", "ambiguity = Omega - (var/M + (1 - 1/M) covar)", "", terms.ambiguity - parts.diversity


def ambiguity_effect(rng) -> Found:
    """Theorem 4.2.1, pointwise."""
    for loss in LOSSES:
        labels, predictions = problem(loss, rng)
        labels = labels[0]
        members = np.mean(loss.loss(labels, predictions), axis=1)
        ensemble = loss.loss(labels, loss.centre(predictions, 1))
        gap = np.abs(members - ambiguity(labels, predictions, loss) - ensemble).max()
        yield "identity", "ensemble loss = member loss - ambiguity-effect", loss.name, gap


def diversity_effect(rng) -> Found:
    """Theorem 4.2.2, with the noise that it lacks in print, and without."""
    for loss in LOSSES:
        parts = decompose(*problem(loss, rng), loss)
        total = parts.average_bias + parts.average_variance - parts.diversity
        gap = parts.noise + total - parts.expected_ensemble_loss
        yield "identity", "risk = noise + bias + variance - diversity", loss.name, gap
        yield "value", "gap without the noise", loss.name, parts.expected_ensemble_loss - total


def bregman_terms(rng) -> Found:
    """Lemmas 4.3.1 and 4.3.2, Theorem 4.3.3 with qbar on its left side."""
    for loss in BREGMAN:
        labels, predictions = problem(loss, rng)
        parts = decompose(labels, predictions, loss)
        bias = bias_without_draws(labels, predictions, loss)
        variance, diversity = variance_without_labels(predictions, loss), diversity_without_labels(predictions, loss)
        total = parts.noise + bias + variance - diversity
        yield "identity", "risk = noise + bias + variance - diversity", loss.name, total - parts.expected_ensemble_loss
        yield "identity", "variance-effect = variance", loss.name, variance - parts.average_variance
        yield "identity", "diversity-effect = diversity", loss.name, diversity - parts.diversity
        yield "identity", "bias-effect = bias", loss.name, bias - parts.average_bias


def variance_and_diversity(rng) -> Found:
    """Corollary 4.2.3 for two or more members that are alike, in one order or another or independent of each other."""
    for who, drawn in (("", exchangeable), (", independent", independent)):
        for loss in [*BREGMAN, ZeroOne(3)]:
            labels, predictions = drawn(loss, rng)
            if loss.name == "0/1" and predictions.shape[1] == 1:
                continue  # one member has no diversity
            begin, parts = "0/1: " * (loss.name == "0/1"), decompose(labels, predictions, loss)
            slack = parts.average_variance - parts.diversity
            gap = slack - parts.ensemble_variance
            yield "identity", f"{begin}ensemble variance = average variance - diversity", f"{loss.name}{who}", gap
            yield "inequality", f"{begin}diversity <= average variance", f"{loss.name}{who}", slack


def ensembling_never_hurts(rng) -> Found:
    """Corollary 4.3.4 and section 5.1, pointwise."""
    for loss in BREGMAN:
        y, q = points(loss, (), rng), points(loss, (5,), rng)
        centre = loss.centre(q)
        spread = np.mean(loss.loss(centre, q))
        gap = np.mean(loss.loss(y, q)) - spread - loss.loss(y, centre)
        yield "identity", "member loss - ambiguity = ensemble loss", loss.name, gap
        yield "inequality", "ambiguity >= 0", loss.name, spread
        yield "inequality", "diversity <= member loss", loss.name, np.mean(loss.loss(y, q)) - spread


def metric_bound(rng) -> Found:
    """Lemma 4.5.1."""
    for loss in (ZeroOne(3), Absolute()):
        labels, predictions = problem(loss, rng)
        combined = loss.centre(predictions, 1)[:, None]
        slack = np.mean(loss.loss(combined, predictions)) - np.mean(ambiguity(labels[0], predictions, loss))
        yield "inequality", "diversity-effect <= mean loss between vote and members", loss.name, slack


# ------------------------------------------------------------------ section 5.4


def ncl_gradient(rng) -> Found:
    """Definition 5.4.1: the gradient of the averaged objective, and of one e_i alone."""
    members, lam, step = int(rng.integers(2, 7)), rng.uniform(0, 1), 1e-5
    q, y = rng.normal(size=members), rng.normal()

    def terms(q):
        return (q - y) ** 2 / 2 - lam * (q - q.mean()) ** 2 / 2

    moved = step * np.eye(members)[0]
    printed = ((q[0] - y) - lam * (q[0] - q.mean())) / members
    averaged = (terms(q + moved).mean() - terms(q - moved).mean()) / (2 * step)
    yield "value", "printed gradient less numeric one", "averaged objective", round(abs(averaged - printed), 7)
    alone = (terms(q + moved)[0] - terms(q - moved)[0]) / (2 * step)
    yield "value", "printed gradient less numeric one", "one member's objective", round(abs(alone - printed), 7)
    own = (q[0] - y) - lam * (1 - 1 / members) * (q[0] - q.mean())
    yield "value", "gradient with lambda (1 - 1/M) and no 1/M", "one member's objective", round(abs(alone - own), 7)
    for end, expected in ((0.0, q[0] - y), (1.0, q.mean() - y)):
        slope = ((q[0] - y) - end * (q[0] - q.mean())) / members
        yield "identity", "ends of lambda", f"lambda = {end:g}", slope - expected / members


def ncl_objective(rng) -> Found:
    """Proposition 5.4.1: both forms, averaged over members and member by member."""
    lam = rng.uniform(0, 1)
    for loss in BREGMAN:
        y, q = points(loss, (), rng), points(loss, (5,), rng)
        centre = loss.centre(q)
        member, ensemble = loss.loss(y, q), loss.loss(y, centre)
        general, bregman = member - lam * (member - ensemble), member - lam * loss.loss(centre, q)
        mean = (1 - lam) * member.mean() + lam * ensemble
        yield "identity", "mean objective = (1 - lambda) member + lambda ensemble", loss.name, general.mean() - mean
        yield "identity", "both forms agree on average", loss.name, bregman.mean() - mean
        yield "value", "both forms, member by member: largest gap", loss.name, np.abs(general - bregman).max()


LOSS_STATEMENTS: dict[str, Callable[[np.random.Generator], Found]] = {
    "diversity-c01": bias_variance,
    "diversity-c02": centroids,
    "diversity-c03": combiners,
    "diversity-c04": homogeneous,
    "diversity-c05": jensen,
    "diversity-c06": variance_of_a_mean,
    "diversity-c09": impurities,
    "diversity-c10": split_gain,
    "diversity-c11": gini_forms,
    "diversity-c12": kohavi_wolpert_parts,
    "diversity-c13": covariance,
    "diversity-c14": omega,
    "diversity-c15": ambiguity_effect,
    "diversity-c16": diversity_effect,
    "diversity-c17": bregman_terms,
    "diversity-c18": variance_and_diversity,
    "diversity-c19": ensembling_never_hurts,
    "diversity-c29": metric_bound,
    "diversity-c43": bootstrap_share,
    "diversity-c44": ncl_gradient,
    "diversity-c45": ncl_objective,
}
