# The README's two commands in a container:
#   docker build -t arboretum .
#   docker run --rm arboretum make reproduce
#   docker run --rm arboretum make test
# Python 3.12.14 on Debian trixie; Dependabot proposes newer digests.
FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea

RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium git make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home arboretum \
    && install --directory --owner arboretum --group arboretum /arboretum
USER arboretum
WORKDIR /arboretum

# The environment changes less often than the code: it has a layer of its own.
COPY --chown=arboretum requirements.lock pyproject.toml README.md LICENSE Makefile ./
COPY --chown=arboretum tools/environment.sh tools/environment.sh
COPY --chown=arboretum src/arboretum/__init__.py src/arboretum/__init__.py
RUN make .venv/.ready

COPY --chown=arboretum . .
RUN touch .venv/.ready && git config --global --add safe.directory /arboretum
ENV PATH=/arboretum/.venv/bin:$PATH
CMD ["make", "reproduce"]
