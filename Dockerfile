# docker build -t idiomatika . && docker run -e TELEGRAM_TOKEN -v idiomatika:/state idiomatika
FROM python:3.11-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
# Annoy compiles for the CPU that it is built on unless told otherwise, and would die elsewhere.
ENV ANNOY_COMPILER_ARGS="-O3,-ffast-math,-fno-associative-math"
WORKDIR /idiomatika
COPY pyproject.toml constraints.txt README.md ./
COPY bot bot
# The image serves: the commands that build artifacts have nothing to run here.
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --constraint constraints.txt . && \
    rm /venv/bin/idiomatika-build /venv/bin/idiomatika-evaluate

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 idiomatika && install --directory --owner idiomatika /state
COPY --from=build /venv /venv
WORKDIR /idiomatika
COPY artifacts artifacts
COPY LICENSE ATTRIBUTION.md ./
COPY data/emoji/README.md licences/cldr.md
USER idiomatika
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 HOST=0.0.0.0 STATE=/state/state.db ARTIFACTS=/idiomatika/artifacts
VOLUME /state
ENTRYPOINT ["idiomatika"]
