# voicebench on an NVIDIA GPU.
#
#   docker build -t voicebench .
#   docker run --rm -v "$PWD/out:/work" voicebench demo
#   docker run --rm --gpus all -v "$PWD/out:/work" voicebench build-audio --lang hi --gpu 0
#
# EXTRAS picks what is installed (offline,gpu is the default). Kimi-Audio pins torch and transformers against
# the rest and wants an image of its own; its weights come from the hub or from /models/kimi-audio:
#
#   docker build -t voicebench-kimi --build-arg EXTRAS=kimi-audio .
#   docker run --rm --gpus all -v "$PWD/out:/work" -v "$PWD/models:/models" -e VOICEBENCH_MODELS=/models \
#       voicebench-kimi eval --model kimi-audio --condition speech --gpu 0
#
# Never built here: no Docker engine was at hand.
FROM nvidia/cuda:12.6.3-cudnn-runtime-ubuntu24.04

ARG EXTRAS=offline,gpu
ENV DEBIAN_FRONTEND=noninteractive \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PYTHONUNBUFFERED=1 \
    VIRTUAL_ENV=/opt/voicebench \
    PATH=/opt/voicebench/bin:$PATH \
    VOICEBENCH_CACHE=/opt/voicebench-cache \
    OMP_WAIT_POLICY=PASSIVE

# npm brings the 54 Kokoro voices (without it there are five), git the package of Kimi-Audio.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends git npm python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*

COPY . /src
RUN python3 -m venv /opt/voicebench \
    && pip install --no-cache-dir "/src[${EXTRAS}]" \
    && voicebench models fetch offline \
    && rm -rf /src

RUN useradd --create-home --uid 10001 voicebench \
    && mkdir /work && chown voicebench /work && chown -R voicebench /opt/voicebench-cache
USER voicebench
WORKDIR /work
ENTRYPOINT ["voicebench"]
CMD ["--help"]
