# The README's two commands in a container:
#   docker build -t arboretum .
#   docker run --rm arboretum make reproduce
#   docker run --rm arboretum make test
FROM python:3.12-slim

RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium git make \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /arboretum

# The environment changes less often than the code: it has a layer of its own.
COPY requirements.lock pyproject.toml README.md LICENSE Makefile ./
COPY tools/environment.sh tools/environment.sh
COPY src/arboretum/__init__.py src/arboretum/__init__.py
RUN make .venv/.ready

COPY . .
RUN touch .venv/.ready && git config --global --add safe.directory /arboretum
ENV PATH=/arboretum/.venv/bin:$PATH
CMD ["make", "reproduce"]
