import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flatDescription, writeDescription } from './description';
import { command, type Peer, stable } from './peer';

const SETTINGS = join(__dirname, 'settings', 'portman.json');

interface Report {
  readonly run: { readonly failures: readonly Failure[] };
}

interface Failure {
  readonly source?: { readonly name?: string };
  readonly error: { readonly test?: string; readonly message: string };
}

/** Makes a Postman collection with tests of a description; Newman runs it. */
export const PORTMAN: Peer = {
  id: 'portman',
  title: 'Portman with Newman',
  tool: {
    // One of its dependencies requires the third without saying so.
    packages: { '@apideck/portman': '1.33.0', newman: '6.2.2', tslib: '2.8.1' },
    bin: 'node_modules/@apideck/portman/bin/portman',
  },
  settings:
    'all contract tests, variations for 401 (no key, another key) and 404, its fuzzing of bodies and of query parameters with 400, ids captured and used in an order that works',
  async run({ url, folder }, { bin, folder: tools }) {
    const description = writeDescription(folder, flatDescription());
    const collection = join(folder, 'collection.json');
    const made = ['-l', description, '-b', url, '-c', SETTINGS, '-o', collection];
    await command('node', [bin, ...made], { folder });
    // Its fuzzing reads bodies as JSON, where a number cannot be the name of a variable: so these are texts until here.
    const written = readFileSync(collection, 'utf8').replace(/\\"(\{\{own(?:Category|Pet)\}\})\\"/g, '$1');
    writeFileSync(collection, written);
    const report = join(folder, 'report.json');
    const newman = join(tools, 'node_modules/newman/bin/newman.js');
    const flags = ['run', collection, '--reporters', 'json', '--reporter-json-export', report];
    await command('node', [newman, ...flags], { folder });
    const { failures } = (JSON.parse(readFileSync(report, 'utf8')) as Report).run;
    return [
      ...new Set(failures.map(({ source, error }) => stable(`${source?.name ?? ''}: ${error.test ?? error.message}`))),
    ];
  },
};
