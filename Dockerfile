# The image of the campaign runner: runs `worker` by default, or any other command of `campaigns`.
#
#   docker build -t campaign-runner:0.1.0 .
#   docker run --rm campaign-runner:0.1.0 --help

FROM node:24-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# The run-time dependencies. This stage and the next are built in parallel.
FROM base AS dependencies
# No package needs its install scripts, so none may run.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# The package. `npm pack` compiles the sources first.
FROM base AS build
ENV CAMPAIGNS_SETUP=skip
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# For `campaigns --version`, if the folder of the build is no clone.
ARG CAMPAIGNS_COMMIT=
RUN npm pack --silent && tar -xzf campaign-runner-*.tgz

FROM node:24-slim
ENV NODE_ENV=production \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/campaigns-compiled \
    PATH=/app/bin:$PATH
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/package ./
# Called by docker-compose*.yml and deploy/.
COPY scripts/probe.ts scripts/
# The process may write only its data. Debian brings an empty /media. The user is a number: Kubernetes cannot verify that a
# named user is not root.
RUN mkdir -p /data /media && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
# One round trip to Redis, as the runner makes it. Workers have a better check: --health-port.
HEALTHCHECK --interval=30s --timeout=15s --start-period=20s --retries=3 \
  CMD ["campaigns", "list", "--json"]
# SIGTERM lets a worker drain; give it time (`docker stop -t 60`, `stop_grace_period`). The launcher replaces itself by
# Node, so Node gets the signal.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/campaigns"]
CMD ["worker"]
