# `npm run build` comes first. The image has its own Node 24, and no npm package beside what `dist/` brings. The last stage runs nothing,
# so that one machine builds it for every platform.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS files
WORKDIR /files
COPY package.json check-node.mjs countersign.mjs LICENSE app/
COPY dist app/dist
# `docker compose exec countersign countersign halt`: the file itself starts Node.
RUN install -d usr/local/bin data && ln -s /app/countersign.mjs usr/local/bin/countersign

FROM node:24-bookworm-slim
ENV NODE_ENV=production COUNTERSIGN_CONFIG=/etc/countersign/countersign.yml
WORKDIR /app
COPY --from=files /files/app /app
COPY --from=files /files/usr/local/bin /usr/local/bin
COPY --from=files --chown=node:node /files/data /data
USER node
VOLUME /data
EXPOSE 3000
# The image has no curl. `server.host` must be 0.0.0.0 in a container; it asks the port that the config names.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["countersign", "alive"]
ENTRYPOINT ["node", "--max-semi-space-size=4", "countersign.mjs"]
CMD ["start"]
