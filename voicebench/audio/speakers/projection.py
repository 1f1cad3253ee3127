"""Speaker space on paper: embeddings in two dimensions."""

from typing import Literal

import numpy as np

from voicebench.audio.speakers.points import Doubles, Embeddings, prepare
from voicebench.errors import UserError

Projection = Literal["pca", "tsne"]
_PERPLEXITY = 30.0


def project_2d(embeddings: Embeddings, *, method: Projection = "pca", seed: int = 0) -> Doubles:
    """Return where embeddings of shape (voices, d) lie on a plane, shape (voices, 2).

    - "pca": the two directions of largest variance, from the singular vectors of the covariance; distances on
      paper are never larger than the true ones. Of a direction and its opposite the one is taken whose
      largest component is positive.
    - "tsne": scikit-learn's t-SNE (van der Maaten & Hinton 2008), begun at the PCA, perplexity 30 or a third
      of the other voices. It keeps neighbours together; distances between clusters mean nothing.

    Args:
        embeddings: Shape (voices, d).
        method: How.
        seed: Seeds t-SNE.

    Raises:
        UserError: The method is unknown, scikit-learn is not installed, or an embedding is not finite.
    """
    if method not in ("pca", "tsne"):
        raise UserError(f"unknown projection {method!r}. Known: pca, tsne")
    points = prepare(embeddings)
    plane = _pca(points.fast.astype(np.float64)) * points.unit
    # t-SNE needs neighbours; so few points lie best where PCA puts them.
    if method == "pca" or len(plane) < 5:
        return plane
    try:
        from sklearn.manifold import TSNE
    except ImportError:
        raise UserError(
            "t-SNE needs scikit-learn. Run: pip install scikit-learn, or project by pca"
        ) from None
    perplexity = min(_PERPLEXITY, (len(plane) - 1) / 3)
    tsne = TSNE(perplexity=perplexity, init="pca", random_state=seed)
    return np.asarray(tsne.fit_transform(points.fast), dtype=np.float64)


def _pca(points: Doubles) -> Doubles:
    plane = np.zeros((len(points), 2))
    if not points.size:
        return plane
    centred = points - points.mean(axis=0)
    directions = np.linalg.svd(centred.T @ centred)[2][:2]
    largest = np.abs(directions).argmax(axis=1)
    directions *= np.where(directions[np.arange(len(directions)), largest] < 0, -1.0, 1.0)[:, None]
    plane[:, : len(directions)] = centred @ directions.T
    return plane
