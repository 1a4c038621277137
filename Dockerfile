# The table server as an image: the page, the wheel with the page inside, and an environment with that wheel.
# `compose.yaml` beside this file runs two of them with their database, Redis and a proxy; docs/deploy.md tells how.

FROM node:22.20.0-bookworm-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY src/buraco/texts /build/src/buraco/texts
COPY web ./
RUN npm run build

# Not the slim one: the compiler is in it.
FROM python:3.11.14-bookworm AS wheel
WORKDIR /build
COPY requirements-build.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements-build.txt
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE CHANGELOG.md THIRD_PARTY.md ./
COPY LICENSES LICENSES
COPY src src
COPY --from=page /build/src/buraco/server/static src/buraco/server/static
RUN pip wheel --no-cache-dir --no-build-isolation --no-deps --no-index --wheel-dir /wheel .

FROM python:3.11.14-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /var/lib/buraco --create-home --shell /usr/sbin/nologin buraco \
    && python -m venv /opt/buraco
COPY requirements-server.txt /opt/buraco/
RUN /opt/buraco/bin/pip install --no-cache-dir --require-hashes -r /opt/buraco/requirements-server.txt
# Not copied: the layer would stay in the image.
RUN --mount=type=bind,from=wheel,source=/wheel,target=/wheel \
    /opt/buraco/bin/pip install --no-cache-dir --no-index --no-deps /wheel/*.whl
ENV PATH="/opt/buraco/bin:$PATH" \
    BURACO_DATA=/var/lib/buraco \
    BURACO_HOST=0.0.0.0 \
    BURACO_PORT=8321
# The user buraco, by its number: systems outside do not know its name.
USER 10001
VOLUME /var/lib/buraco
EXPOSE 8321
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8321/readyz', timeout=4)"]
# Clients are told, and what was accepted is written.
STOPSIGNAL SIGTERM
CMD ["buraco", "serve"]
