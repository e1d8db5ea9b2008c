# standin in a container:
#
#   docker build --tag standin .
#   docker run --rm --publish 4010:4010 --volume "$PWD:/work:ro" standin mock openapi.yaml --host 0.0.0.0
#
# It runs as a user without rights, the mock writes nothing (--read-only works), and the health of the container is that of
# the mock, which listens at 4010 inside.

FROM node:20-bookworm-slim AS package
WORKDIR /standin
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run --silent build -- --package
RUN npm pack --silent && mv standin-*.tgz standin.tgz

FROM node:20-bookworm-slim AS install
WORKDIR /opt/standin
COPY --from=package /standin/standin.tgz ./
RUN npm install --omit=dev --no-audit --no-fund --no-save ./standin.tgz && rm -f standin.tgz

FROM node:20-bookworm-slim
LABEL org.opencontainers.image.title="standin" \
      org.opencontainers.image.description="A stateful mock of an OpenAPI description, and a runner that checks a service against it" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
COPY --from=install /opt/standin /opt/standin
WORKDIR /work
USER node
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:4010/__standin/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/standin/node_modules/standin/dist/bin/standin.js"]
CMD ["mock", "--host", "0.0.0.0"]
