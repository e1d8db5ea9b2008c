import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, call, freePort, rowsOf } from './plain-http';
import { installPackage, packageFolder, packageVersion } from './published-description';
import type { Rows, ServerCase, Session } from './server';

const PACKAGE = '@platformatic/db';
const TABLES = ['owners', 'boats', 'moorings'] as const;
const ALL_ROWS = 'changes every row that its query selects: mode own sends no change without an item in its path';

/** Three tables: a foreign key that must be there, one that may be missing, and two unique columns. */
const MIGRATION = `
CREATE TABLE owners (id INTEGER PRIMARY KEY, email VARCHAR(200) UNIQUE NOT NULL, name TEXT NOT NULL);
CREATE TABLE boats (id INTEGER PRIMARY KEY, title VARCHAR(80) NOT NULL, length REAL,
  owner_id INTEGER NOT NULL REFERENCES owners(id), built TIMESTAMP);
CREATE TABLE moorings (id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL,
  boat_id INTEGER REFERENCES boats(id), paid BOOLEAN);
INSERT INTO owners (email, name) VALUES ('ann@example.com', 'Ann'), ('bob@example.com', 'Bob');
INSERT INTO boats (title, length, owner_id) VALUES ('Gull', 7.5, 1), ('Tern', 9, 2), ('Skua', 11, 2);
INSERT INTO moorings (code, boat_id, paid) VALUES ('N1', 1, 1), ('N2', 2, 0);
`;

const START = `
const { buildServer } = require(process.argv[1]);
buildServer('platformatic.json').then((server) => server.start());
`;

/** Somebody who enters an owner with a boat and a mooring, corrects them, and removes them. */
const harbourMaster: Session = {
  needs: [],
  secrets: [],
  async act(recorderUrl) {
    const ask = (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> =>
      call(method, `${recorderUrl}${path}`, body) as Promise<Record<string, unknown>>;
    await ask('GET', '/owners/?limit=10');
    const owner = await ask('POST', '/owners/', { email: 'cleo.harbour@example.com', name: 'Cleo Harbour' });
    await ask('GET', `/owners/${String(owner['id'])}`);
    const boat = await ask('POST', '/boats/', { title: 'Petrel of Cleo', length: 6.5, ownerId: owner['id'] });
    await ask('GET', `/boats/${String(boat['id'])}/owner`);
    await ask('GET', `/owners/${String(owner['id'])}/boats`);
    await ask('PUT', `/boats/${String(boat['id'])}`, { title: 'Petrel of Cleo', length: 7, ownerId: owner['id'] });
    await ask('GET', `/boats/${String(boat['id'])}`);
    const mooring = await ask('POST', '/moorings/', { code: 'cleo-south-7', boatId: boat['id'] });
    await ask('GET', `/boats/${String(boat['id'])}/moorings`);
    await ask('GET', '/moorings/?where.code.eq=cleo-south-7');
    await ask('DELETE', `/moorings/${String(mooring['id'])}`);
    await ask('DELETE', `/boats/${String(boat['id'])}`);
    await ask('DELETE', `/owners/${String(owner['id'])}`);
    await ask('GET', '/boats/');
  },
};

export const platformatic: ServerCase = {
  name: 'Platformatic',
  packages: [],
  prepare() {
    installPackage(PACKAGE, ['better-sqlite3']);
  },
  needs: [packageFolder(PACKAGE)],
  findings: [],
  findingsWithoutContract: [
    {
      check: 'status-expected',
      operations: ['createMooring'],
      message: /200, got 500$/,
      reason: 'a value of a unique column that another row has is a failure of the server, 500, and not a 409',
    },
    {
      check: 'internals',
      operations: ['createMooring'],
      message: /SQL/,
      reason: 'the error of a value that another row has is that of SQLite, with the names of table and column',
    },
  ],
  outOfReach: { updateOwners: ALL_ROWS, updateBoats: ALL_ROWS, updateMoorings: ALL_ROWS },
  session: harbourMaster,
  async start(folder, run) {
    const port = await freePort();
    mkdirSync(join(folder, 'migrations'));
    writeFileSync(join(folder, 'migrations', '001.do.sql'), MIGRATION);
    const settings = {
      server: { hostname: '127.0.0.1', port, logger: { level: 'error' } },
      db: { connectionString: 'sqlite://./db.sqlite', graphql: false, openapi: true },
      migrations: { dir: './migrations', autoApply: true },
    };
    const version = packageVersion(PACKAGE);
    const $schema = `https://schemas.platformatic.dev/${PACKAGE}/${version}.json`;
    writeFileSync(join(folder, 'platformatic.json'), JSON.stringify({ $schema, ...settings }));
    run('node', ['-e', START, packageFolder(PACKAGE)]);
    const baseUrl = `http://127.0.0.1:${port}`;
    await answering(() => call('GET', `${baseUrl}/owners/`));
    const description = join(folder, 'description.json');
    writeFileSync(description, JSON.stringify(await call('GET', `${baseUrl}/documentation/json`)));
    const dump = async (): Promise<Rows> => {
      const rows = TABLES.map(async (table) =>
        rowsOf(table, await call('GET', `${baseUrl}/${table}/?limit=100`), ({ id }) => id),
      );
      return new Map((await Promise.all(rows)).flat());
    };
    return { version, baseUrl, flags: ['--no-auth'], description, dump };
  },
};
