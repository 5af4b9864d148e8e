# The campaign runner in one image: `worker` by default, or any other command of `campaigns`.
#
#   docker build -t campaign-runner:0.1.0 .
#   docker run --rm campaign-runner:0.1.0 --help

FROM node:24-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# What the program needs at run time. This stage and the next are built side by side.
FROM base AS dependencies
# npm ci refuses a lock file that lacks the optional binaries of some other system; the versions are the same.
RUN npm ci --omit=dev --no-audit --no-fund || npm install --omit=dev --no-save --no-audit --no-fund

# The package, as `npm pack` makes it: it compiles the sources first.
FROM base AS build
ENV CAMPAIGNS_SETUP=skip
RUN npm ci --no-audit --no-fund || npm install --no-save --no-audit --no-fund
COPY . .
RUN npm pack --silent && tar -xzf campaign-runner-*.tgz

FROM node:24-slim
ENV NODE_ENV=production \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/campaigns-compiled \
    PATH=/app/bin:$PATH
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/package ./
# What docker-compose.yml and deploy/ call beside the launcher.
COPY scripts/probe.ts scripts/forward.ts scripts/
# The process may write its data, and nothing of the program. Its user is given by number: Kubernetes cannot tell that a
# user with a name is not root.
RUN mkdir /data /media && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
# One round trip to the Redis that REDIS_URL names, as the runner itself does it. Workers have a better one: --health-port.
HEALTHCHECK --interval=30s --timeout=15s --start-period=20s --retries=3 \
  CMD ["campaigns", "list", "--json"]
# SIGTERM lets a worker drain; give it the time (`docker stop -t 60`, `stop_grace_period`). The launcher replaces itself by
# Node, which so gets the signal.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/campaigns"]
CMD ["worker"]
