import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdnsSession } from './pdns-curl';
import { answering, call, freePort, rowsOf } from './plain-http';
import { descriptionFile, fetchDescription } from './published-description';
import type { Rows, ServerCase, TrueFinding } from './server';

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';
const DESCRIPTION = descriptionFile('powerdns.local.json');
const KEY = 'a-key-of-this-run';

const DERIVED = 'the server makes dnskey and ds of a key itself, and the description lets a client send them';
const COMBINED = 'a key signing key comes back as a combined one where it is the only one';
const TWICE = 'of several creations of one key at the same time two are answered 201';

function undocumented(status: number, operations: TrueFinding['operations']): TrueFinding {
  const message = new RegExp(` the status ${status}$`);
  return { check: 'status-documented', operations, message, reason: 'the published description does not document it' };
}

export const powerdns: ServerCase = {
  name: 'PowerDNS',
  packages: ['pdns-server', 'pdns-backend-sqlite3', 'sqlite3'],
  prepare() {
    fetchDescription('powerdns.local.json');
  },
  needs: ['/usr/sbin/pdns_server', '/usr/bin/sqlite3', SCHEMA, DESCRIPTION],
  findings: [
    undocumented(401, 'any'),
    undocumented(201, ['createMetadata']),
    undocumented(409, ['createZone']),
    undocumented(422, ['createZone']),
    undocumented(404, ['listZone']),
    {
      check: 'body-schema',
      operations: ['createZone', 'listZone'],
      message: /changetype/,
      reason: 'the description requires what responses never have',
    },
    {
      check: 'body-schema',
      operations: ['rectifyZone', 'axfrExportZone'],
      reason: 'described as a string, returned as an object',
    },
    {
      check: 'echo',
      operations: ['createCryptokey'],
      message: /algorithm/,
      reason: 'a short name of an algorithm comes back as the long one, and the description lists neither',
    },
    {
      check: 'echo',
      operations: ['getTSIGKey', 'putTSIGKey'],
      reason: 'PowerDNS 4.7 adds a second record for a changed algorithm, and returns the old one',
    },
  ],
  findingsWithoutContract: [
    {
      check: 'status-expected',
      operations: ['getConfigSetting'],
      reason:
        'the list of settings has names that reading one answers 404 for, with and without a key: that operation is documented and not there',
    },
    {
      check: 'status-expected',
      operations: ['createTSIGKey'],
      message: /422, got 400/,
      reason: 'a key that cannot be is documented to be 422, and 400 is not documented',
    },
    undocumented(422, ['createCryptokey', 'patchZone', 'modifyCryptokey']),
    {
      check: 'body-expected',
      operations: ['createTSIGKey', 'getTSIGKey'],
      message: /name/,
      reason:
        'a name with a space comes back as master files write it (RFC 1035 §5.1), which the description does not say',
    },
    {
      check: 'echo',
      operations: ['createTSIGKey'],
      reason: 'a name with a space comes back in another form, and of a key that is a number another one is made',
    },
    {
      check: 'status-expected',
      operations: ['createTSIGKey'],
      message: /status 422, got (?:201|409)/,
      reason: 'a key that is a number is taken, so that the name is no longer free for those that come after it',
    },
    {
      check: 'body-expected',
      operations: ['createCryptokey', 'getCryptokey'],
      message: /keytype/,
      reason: COMBINED,
    },
    {
      check: 'echo',
      operations: ['createCryptokey'],
      message: /keytype/,
      reason: COMBINED,
    },
    {
      check: 'body-expected',
      operations: ['createCryptokey', 'getCryptokey'],
      message: /\/(?:dnskey|ds)\b/,
      reason: DERIVED,
    },
    { check: 'echo', operations: ['createCryptokey'], message: /"(?:dnskey|ds)"/, reason: DERIVED },
    {
      check: 'status-expected',
      operations: ['patchZone', 'modifyCryptokey'],
      message: /204, got 422/,
      reason: 'what the description lets be left out is asked for: rrsets of a zone, active of a key',
    },
    {
      check: 'status-expected',
      operations: ['getMetadata'],
      message: /200, got 422/,
      reason: 'metadata of a kind that is in the list cannot be read',
    },
    {
      check: 'status-expected',
      operations: ['createTSIGKey', 'createZone', 'createCryptokey'],
      message: /415/,
      reason: 'plain text is read as JSON (RFC 9110 §15.5.16)',
    },
    {
      check: 'status-expected',
      operations: ['deleteZone', 'createZone', 'createTSIGKey', 'createCryptokey'],
      message: /got 500$/,
      reason: 'two requests at the same time meet in its SQLite, and one is answered with 500',
    },
    undocumented(500, 'any'),
    {
      check: 'no-order',
      operations: ['deleteTSIGKey'],
      reason: 'of three removals of one key at the same time two or three are answered 204',
    },
    {
      check: 'identity',
      operations: ['createTSIGKey'],
      reason: TWICE,
    },
    {
      check: 'successes-expected',
      operations: ['createTSIGKey'],
      reason: TWICE,
    },
    {
      check: 'allow',
      operations: [
        'listServer',
        'listServers',
        'getConfig',
        'getTSIGKey',
        'listTSIGKeys',
        'listZone',
        'listZones',
        'getCryptokey',
        'listCryptokeys',
        'getMetadata',
        'listMetadata',
      ],
      reason: 'HEAD is answered 405 beside a GET, and without Allow (RFC 9110 §9.1, §15.5.6)',
    },
  ],
  outOfReach: {
    cacheFlushByName: 'acts on the server as a whole, which no run makes',
    axfrRetrieveZone: 'has the server ask other name servers',
    notifyZone: 'has the server tell other name servers',
  },
  flagsWithoutContract: ['--within', 'server_id=localhost'],
  session: pdnsSession(KEY),
  async start(folder, run) {
    const [dns, http] = [await freePort(), await freePort()];
    const database = join(folder, 'pdns.sqlite');
    execFileSync('sqlite3', [database], { input: readFileSync(SCHEMA) });
    const settings = {
      launch: 'gsqlite3',
      'gsqlite3-database': database,
      'gsqlite3-dnssec': 'yes',
      'local-address': '127.0.0.1',
      'local-port': dns,
      api: 'yes',
      'api-key': KEY,
      webserver: 'yes',
      'webserver-address': '127.0.0.1',
      'webserver-port': http,
      'socket-dir': folder,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'pdns.conf'), lines.join(''));
    run('/usr/sbin/pdns_server', [`--config-dir=${folder}`, '--daemon=no', '--guardian=no']);
    const baseUrl = `http://127.0.0.1:${http}/api/v1`;
    const ask = (method: string, path: string, body?: unknown): Promise<unknown> =>
      call(method, `${baseUrl}/servers${path}`, body, { 'X-API-Key': KEY });
    await answering(() => ask('GET', ''));
    const [server] = (await ask('GET', '')) as { version: string }[];
    await ask('POST', '/localhost/zones', {
      name: 'people.example.',
      kind: 'Native',
      nameservers: ['ns1.people.example.'],
    });
    for (const name of ['people', 'friends'])
      await ask('POST', '/localhost/tsigkeys', { name, algorithm: 'hmac-sha256' });
    const dump = async (): Promise<Rows> => {
      const zones = (await ask('GET', '/localhost/zones')) as { id: string }[];
      const whole = await Promise.all(zones.map(({ id }) => ask('GET', `/localhost/zones/${id}`)));
      const tables = ['domains', 'records', 'domainmetadata', 'cryptokeys', 'tsigkeys', 'comments'];
      const stored = tables.map((table): [string, string] => [
        `table ${table}`,
        execFileSync('sqlite3', [database, `select * from ${table} order by 1`], { encoding: 'utf8' }),
      ]);
      return new Map([
        ...rowsOf('zone', whole, ({ id }) => id),
        ...rowsOf('tsigkey', await ask('GET', '/localhost/tsigkeys'), ({ id }) => id),
        ...stored,
      ]);
    };
    return { version: server?.version ?? '', baseUrl, flags: ['--api-key', KEY], description: DESCRIPTION, dump };
  },
};
