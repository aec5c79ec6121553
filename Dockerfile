# syntax=docker/dockerfile:1

# Pin it for a reproducible image: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:… with the digest that your
# registry shows for the tag. None stands here, because it could not be verified where this file was written.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
# The standalone folder holds the build and the few packages that it loads, but neither of the two static folders, nor
# the server: ours takes the place of the one in it (scripts/serve.mjs).
# Links are kept: the build reaches its external packages through them. --build-arg BASE_PATH=/ratings puts the application
# under that path of its host: it cannot be changed afterwards.
ARG BASE_PATH=
RUN BUILD_STANDALONE=1 node_modules/.bin/next build \
 && cp -a .next/standalone /bellwether \
 && cp -a .next/static /bellwether/.next/static \
 && cp -a public /bellwether/public \
 && mkdir -p /bellwether/scripts && cp scripts/bin.mjs scripts/run.mjs scripts/serve.mjs /bellwether/scripts \
 && rm /bellwether/server.js \
 && node_modules/.bin/esbuild scripts/access.ts --bundle --platform=node --format=esm --conditions=react-server \
      --external:@node-rs/argon2 --outfile=/bellwether/access.mjs

FROM ${NODE_IMAGE}
ARG BASE_PATH=
WORKDIR /bellwether
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOST=0.0.0.0 \
    PORT=3000 \
    BASE_PATH=${BASE_PATH} \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2
RUN install --directory --owner=node --group=node --mode=0700 /data
COPY --from=build /bellwether ./
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + process.env.BASE_PATH + '/api/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/bin.mjs"]
