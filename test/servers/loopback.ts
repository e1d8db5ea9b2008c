import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, call, freePort, rowsOf } from './plain-http';
import { installPackage, packageFolder, packageVersion } from './published-description';
import type { Rows, ServerCase, Session } from './server';

const PACKAGE = '@loopback/example-todo';

/**
 * The application as it is, except that it looks up addresses where nobody answers: otherwise it would send what a run
 * makes up to a public service, and the result would depend on the network.
 */
const START = `
const { TodoListApplication } = require(process.argv[1]);
const { GeocoderDataSource } = require(process.argv[1] + '/dist/datasources');
const geocoder = structuredClone({ ...GeocoderDataSource.defaultConfig, connector: undefined });
geocoder.connector = GeocoderDataSource.defaultConfig.connector;
geocoder.operations[0].template.url = 'http://127.0.0.1:9/';
const app = new TodoListApplication({
  rest: { port: Number(process.argv[2]), host: '127.0.0.1', openApiSpec: { setServersFromRequest: true } },
});
app.bind('datasources.config.geocoder').to(geocoder);
app.boot().then(() => app.start());
`;

/** Somebody who notes what is to be done, does it, and removes it. */
const listKeeper: Session = {
  needs: [],
  secrets: [],
  async act(recorderUrl) {
    const ask = (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> =>
      call(method, `${recorderUrl}${path}`, body) as Promise<Record<string, unknown>>;
    await ask('GET', '/todos');
    await ask('GET', '/todos/count');
    const made = await ask('POST', '/todos', { title: 'Paint the fence', desc: 'green, two coats' });
    const path = `/todos/${String(made['id'])}`;
    await ask('GET', path);
    await ask('PATCH', path, { title: 'Paint the fence', desc: 'blue, two coats' });
    await ask('GET', path);
    await ask('PUT', path, { title: 'Paint the fence', isComplete: true });
    await ask('GET', path);
    const other = await ask('POST', '/todos', { title: 'Return the brushes' });
    await ask('GET', '/todos');
    await ask('DELETE', path);
    await ask('GET', '/todos');
    await ask('DELETE', `/todos/${String(other['id'])}`);
  },
};

export const loopback: ServerCase = {
  name: 'LoopBack',
  packages: [],
  prepare() {
    installPackage(PACKAGE);
  },
  needs: [packageFolder(PACKAGE)],
  findings: [],
  findingsWithoutContract: [
    {
      check: 'status-expected',
      operations: ['TodoController.create'],
      message: /200, got 500$/,
      reason:
        'an address that cannot be looked up is a failure of the server, 500, which the description does not document',
    },
    {
      check: 'status-expected',
      operations: ['TodoController.findById', 'TodoController.find', 'TodoController.count'],
      message: /200 or 405 or 501, got 404$/,
      reason: 'HEAD is answered 404 beside a GET that is answered 200 (RFC 9110 §9.1, §9.3.2)',
    },
  ],
  outOfReach: {
    'TodoController.updateAll':
      'changes every row that its query selects: mode own sends no change without an item in its path',
  },
  session: listKeeper,
  async start(folder, run) {
    const port = await freePort();
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'data', 'db.json'), JSON.stringify({ ids: { Todo: 1 }, models: { Todo: {} } }));
    run('node', ['-e', START, packageFolder(PACKAGE), String(port)]);
    const baseUrl = `http://127.0.0.1:${port}`;
    await answering(() => call('GET', `${baseUrl}/todos/count`));
    const description = join(folder, 'description.json');
    writeFileSync(description, JSON.stringify(await call('GET', `${baseUrl}/openapi.json`)));
    await call('POST', `${baseUrl}/todos`, { title: 'Water the plants of people', desc: 'not of a run' });
    await call('POST', `${baseUrl}/todos`, { title: 'Feed the cat of people', isComplete: true });
    const dump = async (): Promise<Rows> =>
      new Map(rowsOf('todo', await call('GET', `${baseUrl}/todos`), ({ id }) => id));
    return { version: packageVersion(PACKAGE), baseUrl, flags: ['--no-auth'], description, dump };
  },
};
