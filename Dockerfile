# docker build -t idiomatika . && docker run -e TELEGRAM_TOKEN -v idiomatika:/state idiomatika
#
# The digest is that of the index of all platforms; the tag says what it is. CONTRIBUTING.md tells how both move.
FROM python:3.11.16-slim-trixie@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7 AS base

FROM base AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
# Annoy compiles for the CPU that it is built on unless told otherwise, and would die elsewhere.
ENV ANNOY_COMPILER_ARGS="-O3,-ffast-math,-fno-associative-math"
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /idiomatika
COPY requirements requirements
RUN python -m venv /venv && cd requirements && \
    /venv/bin/python -m pip install --no-compile --require-hashes --requirement installer.txt && \
    /venv/bin/python -m pip install --no-compile --require-hashes --no-build-isolation --requirement runtime.txt
COPY pyproject.toml README.md ./
COPY bot bot
RUN /venv/bin/python -m pip install --no-compile --no-deps --no-build-isolation .
# Left out: commands that build artifacts, what installed the rest, tests, the client of a hub that the bot never asks,
# onnxruntime for other languages and its tools, dates in languages that the bot does not speak, and debuggers' symbols,
# but not of the libraries in *.libs, which may not survive that.
RUN cd /venv/lib/python3.*/site-packages && \
    /venv/bin/python -m pip uninstall --yes pip setuptools huggingface-hub hf-xet && \
    rm /venv/bin/idiomatika-build /venv/bin/idiomatika-evaluate && \
    find . -type d \( -name test -o -name tests -o -name testdata \) -prune -exec rm -r {} + && \
    rm -rf onnxruntime/capi/libonnxruntime.so.* && \
    (cd onnxruntime && rm -r backend datasets quantization tools transformers) && \
    mkdir spoken && for language in root $(basename -a -s .ftl bot/locales/*); do \
    mv babel/locale-data/"$language"*.dat spoken; done && rm -r babel/locale-data && mv spoken babel/locale-data && \
    find . -name '*.so' -not -path '*.libs/*' -exec strip --strip-debug {} +

FROM base
RUN install --directory --owner 1000 --group 1000 /state
COPY --from=build /venv /venv
WORKDIR /idiomatika
COPY artifacts artifacts
COPY LICENSE ATTRIBUTION.md ./
COPY data/emoji/README.md licences/cldr.md
# Without docstrings the bot takes 5 MB less.
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONOPTIMIZE=2
ENV HOST=0.0.0.0 METRICS_PORT=9100 STATE=/state/state.db ARTIFACTS=/idiomatika/artifacts
# Writes the bytecode of all that the bot imports, of Python's own modules too: where nothing can be written, every
# start would compile it again, which doubles the time that it takes.
RUN python -c "import bot, importlib, pkgutil; \
    [importlib.import_module(module.name) for module in pkgutil.walk_packages(bot.__path__, 'bot.')]"
USER 1000:1000
VOLUME /state
# Where there is no METRICS_PORT, nobody can be asked, and a bot that runs counts as healthy.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import os, sys, http.client as http; \
    host, port = os.environ['HOST'].strip('[]') or '127.0.0.1', int(os.environ['METRICS_PORT'] or 0); \
    bot = http.HTTPConnection(host, port); port and bot.request('GET', '/healthz'); \
    sys.exit(port and bot.getresponse().status != 200)"]
ENTRYPOINT ["idiomatika"]
