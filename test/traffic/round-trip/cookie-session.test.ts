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

interface Service {
  readonly url: string;
  /** How many notes there are. */
  count(): number;
  close(): Promise<void>;
}

/** A service as most applications have it: a login, a session cookie, and a header against forged requests. */
async function startService(csrfHeader: string): Promise<Service> {
  const sessions = new Map<string, string>();
  const notes = new Map<string, object>([['a1b2c3d4e5f6', { id: 'a1b2c3d4e5f6', title: 'Buy milk' }]]);
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
  api.patch('/api/notes/:id', (request, response) => {
    const note = { ...notes.get(request.params.id), ...(request.body as object) };
    notes.set(request.params.id, note);
    response.json(note);
  });
  api.delete('/api/notes/:id', (request, response) => {
    response.status(notes.delete(request.params.id) ? 204 : 404).end();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => notes.size,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a session does with notes, signed in. */
type Use = (url: string, signed: Readonly<Record<string, string>>) => Promise<void>;

const comesAndGoes: Use = async (url, signed) => {
  const { Cookie: cookie = '' } = signed;
  const made = await fetch(url, { method: 'POST', headers: signed, body: '{"title":"Call Bob"}' });
  const { id } = (await made.json()) as { id: string };
  await fetch(`${url}/${id}`, { headers: { Cookie: cookie } });
  await fetch(url, { headers: { Cookie: cookie } });
  await fetch(`${url}/${id}`, { method: 'DELETE', headers: signed });
  await fetch(`${url}/${id}`, { headers: { Cookie: cookie } });
};

const staysThere: Use = async (url, signed) => {
  await comesAndGoes(url, signed);
  await fetch(url, { method: 'POST', headers: signed, body: '{"title":"Call Bob"}' });
  await fetch(url, { headers: { Cookie: signed['Cookie'] ?? '' } });
};

const wasThere: Use = async (url, signed) => {
  await comesAndGoes(url, signed);
  const { Cookie: cookie = '' } = signed;
  const [first] = (await (await fetch(url, { headers: { Cookie: cookie } })).json()) as { id: string }[];
  await fetch(`${url}/${first!.id}`, { method: 'PATCH', headers: signed, body: '{"title":"Call Ann"}' });
  await fetch(`${url}/${first!.id}`, { headers: { Cookie: cookie } });
};

/** What a page does: a mistyped password, then the right one, something with notes, and the end of the session. */
async function useIt(url: string, csrfHeader: string, use: Use): Promise<void> {
  const json = { 'Content-Type': 'application/json' };
  const login = (password: string): Promise<Response> =>
    fetch(`${url}/api/login`, { method: 'POST', headers: json, body: JSON.stringify({ user: 'ann', password }) });
  await login('correct horse');
  const signedIn = await login(PASSWORD);
  const { csrf } = (await signedIn.json()) as { csrf: string };
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const signed = { ...json, Cookie: cookie, [csrfHeader]: csrf };
  await use(`${url}/api/notes`, signed);
  await fetch(`${url}/api/logout`, { method: 'POST', headers: signed });
}

test.each([
  ['X-CSRF-Token', 'something that comes and goes', comesAndGoes],
  ['X-XSRF-TOKEN', 'something that comes and goes', comesAndGoes],
  ['X-Request-Token', 'something that comes and goes', comesAndGoes],
  ['X-CSRF-Token', 'something that it leaves', staysThere],
  ['X-Request-Token', 'something that it leaves', staysThere],
  ['X-CSRF-Token', 'a change of what was there', wasThere],
  ['X-Request-Token', 'a change of what was there', wasThere],
] as const)(
  'a session with a login, a cookie, %s and %s is replayed at once, at a fresh service',
  async (csrfHeader, what, use) => {
    const recorded = await startService(csrfHeader);
    const stem = `${csrfHeader}-${what.replaceAll(' ', '-')}`;
    const out = folder.file(`${stem}.yaml`);
    const options = { target: `${recorded.url}/api`, out };
    const vault = RECORD_TOOLS.createCleaner(undefined, options);
    const recorder = await recordTraffic({
      ...{ target: recorded.url, host: '127.0.0.1', port: 0, file: folder.file(`${stem}.recording.ndjson`) },
      version: packageVersion(),
      cleaner: vault,
      onNotice: () => undefined,
    });
    await useIt(recorder.url, csrfHeader, use);
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
    const description = folder.file(`${stem}.openapi.yaml`);
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
    const left = fresh.count();
    await fresh.close();
    const failed = allSteps(result).filter(({ verdict }) => verdict.kind !== 'pass');
    expect(failed.map(({ name, verdict }) => [name, verdict])).toEqual([]);
    expect(left).toBe(1);
    expect(result.outcome).toBe('conforms');
    // No scheme of HTTP is one for cookies: that it has no challenge is worth a word, and no more.
    const warned = allSteps(result).filter(({ warnings }) =>
      warnings.some(({ check }) => check === 'www-authenticate'),
    );
    expect(warned.map(({ status }) => status)).toEqual([401]);
  },
);
