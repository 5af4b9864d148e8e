# The campaign runner in one image: `worker` by default, or any other command of `campaigns`.
#
#   docker build -t campaign-runner:0.1.0 .
#   docker run --rm campaign-runner:0.1.0 --help

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# npm ci refuses a lock file that lacks the optional binaries of some other system; the versions are the same.
RUN npm ci --omit=dev --no-audit --no-fund || npm install --omit=dev --no-save --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production \
    CAMPAIGNS_SETUP=skip \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/campaigns-compiled \
    PATH=/app/bin:$PATH
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
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
