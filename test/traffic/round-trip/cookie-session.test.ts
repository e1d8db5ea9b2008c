import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { packageVersion } from '../../../src/files/file-access';
import { RECORD_TOOLS } from '../../../src/library/record-tools';
import { recordTraffic } from '../../../src/library/record-traffic';
import { runContract } from '../../../src/library/run-contract';
import { allSteps } from '../../../src/runner/result/outcome';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const PASSWORD = 'correct horse 42';

/** A service as most applications have it: a login, a session cookie, and a header against forged requests. */
async function startService(csrfHeader: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sessions = new Map<string, string>();
  const notes = new Map<string, object>();
  const app = express();
  const api = express.Router();
  app.use(express.json(), api);
  api.post('/api/login', (request, response) => {
    const { password } = request.body as { password: string };
    if (password !== PASSWORD) {
      response.status(401).json({ error: 'bad_credentials' });
      return;
    }
    const [session, csrf] = [randomBytes(24).toString('hex'), randomBytes(16).toString('base64url')];
    sessions.set(session, csrf);
    response.cookie('sid', session, { httpOnly: true }).json({ user: 'ann', csrf });
  });
  api.use((request, response, next) => {
    const csrf = sessions.get(/sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    if (csrf === undefined) response.status(401).json({ error: 'not_logged_in' });
    else if (request.method !== 'GET' && request.get(csrfHeader) !== csrf)
      response.status(403).json({ error: 'forged' });
    else next();
  });
  api.post('/api/logout', (request, response) => {
    sessions.delete(/sid=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
    response.status(204).end();
  });
  api.get('/api/notes', (_, response) => {
    response.json([...notes.values()]);
  });
  api.post('/api/notes', (request, response) => {
    const { title } = request.body as { title: string };
    const note = { id: randomBytes(6).toString('hex'), title };
    notes.set(note.id, note);
    response.status(201).json(note);
  });
  api.get('/api/notes/:id', (request, response) => {
    const note = notes.get(request.params.id);
    response.status(note === undefined ? 404 : 200).json(note ?? { error: 'no_such_note' });
  });
  api.delete('/api/notes/:id', (request, response) => {
    response.status(notes.delete(request.params.id) ? 204 : 404).end();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a page does: a mistyped password, then the right one, and a note that comes and goes. */
async function useIt(url: string, csrfHeader: string): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  const login = (password: string): Promise<Response> =>
    fetch(`${url}/api/login`, { method: 'POST', headers: json, body: JSON.stringify({ user: 'ann', password }) });
  await login('correct horse');
  const signedIn = await login(PASSWORD);
  const { csrf } = (await signedIn.json()) as { csrf: string };
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const signed = { ...json, Cookie: cookie, [csrfHeader]: csrf };
  const made = await fetch(`${url}/api/notes`, { method: 'POST', headers: signed, body: '{"title":"Call Bob"}' });
  const { id } = (await made.json()) as { id: string };
  await fetch(`${url}/api/notes/${id}`, { headers: { Cookie: cookie } });
  await fetch(`${url}/api/notes`, { headers: { Cookie: cookie } });
  await fetch(`${url}/api/notes/${id}`, { method: 'DELETE', headers: signed });
  await fetch(`${url}/api/notes/${id}`, { headers: { Cookie: cookie } });
  await fetch(`${url}/api/logout`, { method: 'POST', headers: signed });
}

test.each(['X-CSRF-Token', 'X-XSRF-TOKEN', 'X-Request-Token'])(
  'a session with a login, a cookie and %s is replayed at once, at a fresh service',
  async (csrfHeader) => {
    const recorded = await startService(csrfHeader);
    const out = folder.file(`${csrfHeader}.yaml`);
    const options = { target: `${recorded.url}/api`, out };
    const vault = RECORD_TOOLS.createCleaner(undefined, options);
    const recorder = await recordTraffic({
      ...{ target: recorded.url, host: '127.0.0.1', port: 0, file: folder.file(`${csrfHeader}.recording.ndjson`) },
      version: packageVersion(),
      cleaner: vault,
      onNotice: () => undefined,
    });
    await useIt(recorder.url, csrfHeader);
    await recorder.close();
    await recorded.close();
    const { file } = recorder;
    const lines = await RECORD_TOOLS.deriveContract(
      { options, file, earlier: undefined, api: undefined, basePath: '/api' },
      vault,
    );
    const text = readFileSync(out, 'utf8');
    expect(text).not.toContain(PASSWORD);
    // The wrong password is nobody's secret, and asked of nobody.
    expect(text).toMatch(/^env: \[(\w+)\]$/m);
    const [, variable = ''] = /^env: \[(\w+)\]$/m.exec(text) ?? [];
    expect(lines.join('\n')).toContain(`To be set in the environment: ${variable}`);
    const fresh = await startService(csrfHeader);
    process.env[variable] = PASSWORD;
    const description = folder.file(`${csrfHeader}.openapi.yaml`);
    const baseUrl = `${fresh.url}/api`;
    const result = await runContract({
      contracts: out,
      description,
      baseUrl,
      mode: 'own',
      probesAuth: false,
      auth: 'off',
    });
    process.env[variable] = undefined;
    await fresh.close();
    const failed = allSteps(result).filter(({ verdict }) => verdict.kind !== 'pass');
    expect(failed.map(({ name, verdict }) => [name, verdict])).toEqual([]);
    expect(result.outcome).toBe('conforms');
    // No scheme of HTTP is one for cookies: that it has no challenge is worth a word, and no more.
    const warned = allSteps(result).filter(({ warnings }) =>
      warnings.some(({ check }) => check === 'www-authenticate'),
    );
    expect(warned.map(({ status }) => status)).toEqual([401]);
  },
);
