# The image brings Node 24 itself, so the optional packages that carry it for npm's scripts stay out (--omit=optional).
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production COUNTERSIGN_CONFIG=/etc/countersign/countersign.yml
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json check-node.mjs app.yml LICENSE ./
COPY templates templates
COPY src src
# `docker compose exec countersign countersign halt`: the file itself starts Node.
RUN ln -s /app/src/main.ts /usr/local/bin/countersign && install -d -o node -g node /data
USER node
VOLUME /data
EXPOSE 3000
# The image has no curl. `server.host` must be 0.0.0.0 in a container; /livez answers while the process lives.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--import", "./check-node.mjs", "--max-semi-space-size=4", "src/main.ts"]
CMD ["start"]
