# The campaign runner in one image: `worker` by default, or any other command of `campaigns`.
#
#   docker build -t campaign-runner .
#   docker run --rm campaign-runner --help

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# npm ci refuses a lock file that lacks the optional binaries of some other system; the versions are the same.
RUN npm ci --omit=dev --no-audit --no-fund || npm install --omit=dev --no-save --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production \
    CAMPAIGNS_SETUP=skip \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/campaigns-compiled
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# The image's own user: the process may write its data, and nothing of the program.
RUN mkdir /data /media && chown node:node /data
USER node
VOLUME /data
# One round trip to the Redis that REDIS_URL names, as the runner itself does it.
HEALTHCHECK --interval=30s --timeout=15s --start-period=20s --retries=3 \
  CMD ["/app/bin/campaigns", "list", "--json"]
# SIGTERM lets a worker drain; give it the time (`docker stop -t 60`, `stop_grace_period`).
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/campaigns"]
CMD ["worker"]
