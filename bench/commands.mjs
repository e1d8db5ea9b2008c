// How each server is started. Adjust here when a flag or a path changes.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);

export const defaultBin = path.join(root, 'dist/bin/standin.js');
export const defaultSpec = path.join(root, 'spec/petstore.yaml');

/** The key that the mock takes by default; every server gets it, so that all read the same request. */
export const headers = { Authorization: 'Bearer test-key', Accept: 'application/json' };
export const jsonHeaders = { ...headers, 'Content-Type': 'application/json' };

const node = (file, ...args) => [process.execPath, file, ...args];
const script = (name) => node(path.join(here, 'servers', name));

/** Our mock, as users start it. `port` 0 lets it choose one and print it. */
export function mockServer({ bin, spec, fixtures, port = 0, label = 'standin mock' }) {
  const more = fixtures ? ['--fixtures', fixtures] : [];
  return { label, command: node(bin, 'mock', spec, '--port', String(port), '--log', 'silent', ...more) };
}

/**
 * Prism as it starts (it logs each request), or silenced like our mock, which makes it about twice as fast.
 * Without a log it prints no port, so it is told one.
 */
export function prismServer({ prism, spec, port, silent = false }) {
  const flags = ['--host', '127.0.0.1', '--port', String(port), ...(silent ? ['--verboseLevel', 'silent'] : [])];
  return {
    label: silent ? 'Prism, log silent' : 'Prism as it starts',
    command: node(prism.bin, 'mock', spec, ...flags),
    port,
  };
}

export function bareGetServer(bodyFile) {
  return { label: 'bare node:http', command: script('bare-http.mjs'), env: { BENCH_BODY_FILE: bodyFile } };
}

export function barePostServer() {
  return { label: 'bare node:http', command: script('bare-http-post.mjs') };
}

export function expressServer(bodyFile) {
  return { label: 'plain Express', command: script('express.mjs'), env: bodyFile ? { BENCH_BODY_FILE: bodyFile } : {} };
}

export function expressHelloServer(port) {
  return { label: 'Express hello world', command: script('express-hello.cjs'), env: { BENCH_PORT: String(port) } };
}
