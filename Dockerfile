# syntax=docker/dockerfile:1
# The service on the processor. Dockerfile.gpu is the same with CUDA; docs/operating.md says how to run both.

# hadolint ignore=DL3006
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
# Versions come with the base, which is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends g++ make python3 python3-pip \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN ONNXRUNTIME_NODE_INSTALL=skip npm install --no-save --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY scripts scripts
COPY client client
COPY examples examples
RUN npm run build \
    && rm -rf dist/tools \
    && npm prune --omit=dev --no-audit --no-fund \
    && rm -rf node_modules/@node-llama-cpp/*-cuda* node_modules/@node-llama-cpp/*-vulkan
COPY models models

# Brings this image's packs into a volume, and pulls what they lack: docker compose run --rm models
FROM build AS models
ENV MODELS_DIR=/volume
# Files are replaced, not written over: a running server has the old ones mapped. Prompts are replaced as a whole, since
# one that this image has no more would still be read.
ENTRYPOINT ["sh", "-c", "for prompts in models/prompts models/*/prompts; do rm -rf \"$MODELS_DIR/${prompts#models/}\"; done; cp -R --remove-destination models/. \"$MODELS_DIR\" && exec node dist/main.js models \"$@\"", "models"]
CMD ["pull"]

# Packs to bake into the image, separated by spaces; empty: a volume at /app/models has them.
FROM build AS packs
ARG BAKE_PACKS=""
# Without quotes: the names are words.
# hadolint ignore=SC2086
RUN if [ -n "$BAKE_PACKS" ]; then node dist/main.js models pull $BAKE_PACKS; fi

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
RUN groupadd --gid 10001 service \
    && useradd --uid 10001 --gid service --no-create-home --shell /usr/sbin/nologin service \
    && install -d -o service -g service -m 700 /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/examples examples
COPY --from=packs --chown=service:service /app/models models
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    MODELS_DIR=/app/models \
    MODELS_OFFLINE=true \
    LOG_FORMAT=json
USER 10001:10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
