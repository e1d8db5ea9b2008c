import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pdnsSession } from './pdns-curl';
import { answering, call, freePort, rowsOf } from './plain-http';
import { descriptionFile } from './published-description';
import type { Rows, ServerCase, TrueFinding } from './server';

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';
const DESCRIPTION = descriptionFile('powerdns.local.json');
const KEY = 'a-key-of-this-run';

function undocumented(status: number, operations: TrueFinding['operations']): TrueFinding {
  const message = new RegExp(` the status ${status}$`);
  return { check: 'status-documented', operations, message, reason: 'the published description does not document it' };
}

export const powerdns: ServerCase = {
  name: 'PowerDNS',
  packages: ['pdns-server', 'pdns-backend-sqlite3', 'sqlite3'],
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
    await ask('POST', '/localhost/tsigkeys', { name: 'people', algorithm: 'hmac-sha256' });
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
