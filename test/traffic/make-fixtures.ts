import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { createMockServer } from '../../src/library/create-mock-server';
import { makeCollection } from './make-collection';

/**
 * Writes the recorded traffic in `fixtures/`: a page of ours calls a mock of the bundled Petstore, in the browsers that
 * are installed, and each writes down what it saw. `npx tsx test/traffic/make-fixtures.ts [NAME…]`, each of `playwright`,
 * `chrome`, `firefox` and `postman`. The ports are those that the files name; the key is made up.
 */
const FIXTURES = join(__dirname, 'fixtures');
const API = 'http://127.0.0.1:4010';
const PAGE = 'http://127.0.0.1:4011';
export const KEY = 'made-up-key-4f1c9a7e2b6d';

/** What the page does: it makes a category and a pet, orders it, and takes all of it away. */
const SCRIPT = `
const call = async (method, path, body) => {
  const response = await fetch('${API}' + path, {
    method,
    headers: { Authorization: 'Bearer ${KEY}', ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};
const run = async () => {
  const category = await call('POST', '/categories', { name: 'Parrots' });
  await call('GET', '/categories/' + category.id);
  const pet = await call('POST', '/pets', { name: 'Käthe', categoryId: category.id, status: 'available' });
  await call('GET', '/pets?limit=2');
  await call('GET', '/pets/' + pet.id);
  const order = await call('POST', '/store/orders', { petId: pet.id, quantity: 1 });
  await call('GET', '/store/orders/' + order.id);
  await call('DELETE', '/store/orders/' + order.id);
  await call('DELETE', '/pets/' + pet.id);
  await call('GET', '/pets/' + pet.id).catch(() => undefined);
  await call('DELETE', '/categories/' + category.id);
  await fetch('/login?next=%2F').then((response) => response.text());
  await fetch('/form', { method: 'POST', body: new URLSearchParams({ user: 'ann', note: 'a&b' }) });
  const parts = new FormData();
  parts.append('title', 'one');
  parts.append('file', new Blob(['text of a file'], { type: 'text/plain' }), 'a.txt');
  await fetch('/form', { method: 'POST', body: parts });
  await fetch('http://127.0.0.1:4012/nobody').catch(() => undefined);
  document.title = 'done';
};
addEventListener('load', run);
`;

const HTML = `<!DOCTYPE html><html lang="en"><title>A shop</title><link rel="stylesheet" href="/shop.css">
<link rel="icon" href="/shop.png"><img src="/shop.png" alt=""><script src="/shop.js"></script><h1>A shop</h1></html>`;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const FILES: Readonly<Record<string, readonly [type: string, content: string | Buffer]>> = {
  '/': ['text/html; charset=utf-8', HTML],
  // Firefox begins to record with the first page behind the one that its network monitor was opened on.
  '/start': ['text/html; charset=utf-8', '<!DOCTYPE html><meta http-equiv="refresh" content="25; url=/">'],
  '/shop.css': ['text/css', 'h1 { color: teal }'],
  '/shop.js': ['text/javascript', SCRIPT],
  '/shop.png': ['image/png', Buffer.from(PNG, 'base64')],
  '/login': ['text/html; charset=utf-8', '<!DOCTYPE html><title>Sign in</title>'],
};

function servePage(): Promise<Server> {
  const server = createServer((request, response) => {
    const file = FILES[new URL(request.url ?? '/', PAGE).pathname];
    request.resume();
    if (file === undefined) response.writeHead(204, { 'set-cookie': ['seen=1; Path=/', 'theme=dark'] }).end();
    else response.writeHead(200, { 'content-type': file[0] }).end(file[1]);
  });
  return new Promise((resolve) =>
    server.listen(4011, '127.0.0.1', () => {
      resolve(server);
    }),
  );
}

function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

async function playwright(): Promise<void> {
  const browser = await launch();
  const context = await browser.newContext({ recordHar: { path: join(FIXTURES, 'playwright.har') } });
  const page = await context.newPage();
  await page.goto(PAGE);
  await page.waitForFunction('document.title === "done"');
  await context.close();
  await browser.close();
}

/** The entries that the developer tools of Chrome would write, from the same events of its protocol. */
async function chrome(): Promise<void> {
  const browser: Browser = await launch();
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  const recorder = new ChromeRecorder(session);
  await session.send('Network.enable');
  await page.goto(PAGE);
  await page.waitForFunction('document.title === "done"');
  await wait(500);
  const log = {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [
      {
        startedDateTime: recorder.firstTime(),
        id: 'page_1',
        title: PAGE,
        pageTimings: { onContentLoad: 1, onLoad: 2 },
      },
    ],
    entries: await recorder.entries(),
  };
  await browser.close();
  writeFileSync(join(FIXTURES, 'chrome.har'), `${JSON.stringify({ log }, null, 2)}\n`);
}

interface Seen {
  readonly wallTime: number;
  readonly start: number;
  readonly type: string;
  readonly request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    postData?: string;
    hasPostData?: boolean;
  };
  response?: {
    status: number;
    statusText: string;
    headers: Record<string, string>;
    mimeType: string;
    protocol?: string;
    remoteIPAddress?: string;
    connectionId: number;
  };
  end?: number;
  bytes?: number;
  error?: string;
}

const NO_RESPONSE: NonNullable<Seen['response']> = {
  status: 0,
  statusText: '',
  headers: {},
  mimeType: 'x-unknown',
  remoteIPAddress: '',
  connectionId: 0,
};

class ChromeRecorder {
  private readonly seen = new Map<string, Seen>();
  private readonly session: CDPSession;

  constructor(session: CDPSession) {
    this.session = session;
    session.on('Network.requestWillBeSent', ({ requestId, request, timestamp, wallTime, type }) => {
      this.seen.set(requestId, { wallTime, start: timestamp, type: type ?? 'Other', request });
    });
    session.on('Network.responseReceived', ({ requestId, response }) => {
      this.change(requestId, { response });
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
      this.change(requestId, { end: timestamp, bytes: encodedDataLength });
    });
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText }) => {
      this.change(requestId, { end: timestamp, error: errorText });
    });
  }

  firstTime(): string {
    return new Date(([...this.seen.values()][0]?.wallTime ?? 0) * 1000).toISOString();
  }

  async entries(): Promise<unknown[]> {
    const entries: unknown[] = [];
    for (const [id, seen] of this.seen) entries.push(await this.entry(id, seen));
    return entries;
  }

  private change(id: string, changes: Partial<Seen>): void {
    const seen = this.seen.get(id);
    if (seen !== undefined) this.seen.set(id, { ...seen, ...changes });
  }

  private async entry(id: string, seen: Seen): Promise<unknown> {
    const { wallTime, start, end = start, type, request, response = NO_RESPONSE, bytes = 0, error } = seen;
    const { mimeType, protocol = '' } = response;
    return {
      _connectionId: String(response.connectionId),
      _initiator: { type: type === 'Document' ? 'other' : 'script' },
      _priority: 'High',
      _resourceType: type.toLowerCase(),
      cache: {},
      pageref: 'page_1',
      request: {
        method: request.method,
        url: request.url,
        httpVersion: protocol,
        headers: listed(request.headers),
        queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
        cookies: [],
        headersSize: -1,
        ...(request.hasPostData === true ? await this.posted(id, request.headers) : { bodySize: 0 }),
      },
      response: {
        status: response.status,
        statusText: response.statusText,
        httpVersion: protocol,
        headers: listed(response.headers),
        cookies: [],
        content: { mimeType, ...(await this.content(id)) },
        redirectURL: '',
        headersSize: -1,
        bodySize: -1,
        _transferSize: bytes,
        _error: error ?? null,
      },
      serverIPAddress: response.remoteIPAddress,
      startedDateTime: new Date(wallTime * 1000).toISOString(),
      time: (end - start) * 1000,
      timings: { blocked: -1, dns: -1, ssl: -1, connect: -1, send: 0, wait: 0, receive: 0 },
    };
  }

  private async posted(id: string, headers: Readonly<Record<string, string>>): Promise<object> {
    const { postData: text } = await this.session.send('Network.getRequestPostData', { requestId: id });
    return { bodySize: Buffer.byteLength(text), postData: { mimeType: headers['Content-Type'], text } };
  }

  private async content(id: string): Promise<object> {
    const body = await this.session.send('Network.getResponseBody', { requestId: id }).catch(() => undefined);
    if (body === undefined || body.body === '') return { size: 0 };
    const { body: text, base64Encoded } = body;
    const size = Buffer.from(text, base64Encoded ? 'base64' : 'utf8').length;
    return base64Encoded ? { size, text, encoding: 'base64' } : { size, text };
  }
}

function listed(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Firefox writes a HAR by itself when its network monitor is told to, and a page has been loaded. */
async function firefox(): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const har = 'devtools.netmonitor.har';
  const preferences = {
    [`${har}.enableAutoExportToFile`]: true,
    [`${har}.defaultLogDir`]: profile,
    [`${har}.defaultFileName`]: 'recorded',
    [`${har}.includeResponseBodies`]: true,
    [`${har}.compress`]: false,
    [`${har}.forceExport`]: true,
    [`${har}.pageLoadedTimeout`]: 4000,
    'devtools.toolbox.selectedTool': 'netmonitor',
    'devtools.cache.disabled': true,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const name = ['firefox-esr', 'firefox'].find((each) => isInstalled(each)) ?? 'firefox';
  const child = spawn(name, ['--headless', '--no-remote', '--profile', profile, '--devtools', `${PAGE}/start`], {
    stdio: 'ignore',
  });
  try {
    for (let tries = 0; tries < 240; tries++) {
      const file = readdirSync(profile).find((each) => each.startsWith('recorded') && each.endsWith('.har'));
      const text = file === undefined ? '' : readFileSync(join(profile, file), 'utf8');
      if (text.trimEnd().endsWith('}') && text.includes('/form')) {
        writeFileSync(join(FIXTURES, 'firefox.har'), text.endsWith('\n') ? text : `${text}\n`);
        return;
      }
      await wait(500);
    }
    throw new Error('Firefox has written no HAR');
  } finally {
    child.kill();
    await wait(1000);
    rmSync(profile, { recursive: true, force: true });
  }
}

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function postman(): Promise<void> {
  const collection = await makeCollection(API, KEY);
  writeFileSync(join(FIXTURES, 'petstore.postman_collection.json'), `${JSON.stringify(collection, null, 2)}\n`);
}

const MAKERS: Readonly<Record<string, () => Promise<void>>> = { playwright, chrome, firefox, postman };

async function main(names: readonly string[]): Promise<void> {
  const page = await servePage();
  for (const name of names.length === 0 ? Object.keys(MAKERS) : names) {
    // Each begins with the same state.
    const server = (await createMockServer({ apiKeys: [KEY] })).listen(4010, '127.0.0.1');
    await MAKERS[name]?.();
    server.close();
    server.closeAllConnections();
  }
  page.close();
  page.closeAllConnections();
}

void main(process.argv.slice(2));
