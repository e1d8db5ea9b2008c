import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryFolder } from '../support/temporary-folder';
import { type Race, Theatre, THEATRE } from '../support/theatre';
import { runMain } from './standin-process';

const folder = temporaryFolder();
beforeAll(() => {
  delete process.env['STANDIN_API_KEY'];
});

const RACE = `standin: contract/1
name: Shows
setup:
  - { operation: addShow, body: { title: 'Hamlet \${runId}', stage: large, note: first, seats: 1 }, expect: { status: 201 }, capture: { showId: '$response.body#/id' } }
steps:
  - { operation: listShows, expect: { status: 200 } }
  - { name: the stage, together: changes, operation: changeShow, parameters: { showId: '\${showId}' }, body: { stage: small }, expect: { status: 200 } }
  - { name: the note, together: changes, operation: changeShow, parameters: { showId: '\${showId}' }, body: { note: second }, expect: { status: STATUS } }
  - { operation: listShows, expect: { status: 200 } }
  - { operation: getShow, parameters: { showId: '\${showId}' }, expect: { status: 200 } }
cleanup:
  - { operation: removeShow, parameters: { showId: '\${showId}' }, expect: { status: 204 } }
`;

async function savedSteps(race: Race, status: number): Promise<readonly (readonly [string, string | undefined])[]> {
  const theatre = await new Theatre(race).listen();
  const saved = join(folder.write('race.yaml', RACE.replace('STATUS', String(status))), '..', `failures-${race}`);
  const description = folder.write('theatre.json', THEATRE);
  const files = [join(saved, '..', 'race.yaml'), '--spec', description, '--no-auth-probes'];
  const { exitCode } = await runMain('verify', ...files, '--base-url', theatre.url, '--save-failures', saved);
  await theatre.close();
  expect(exitCode).toBe(1);
  const [yaml = ''] = readdirSync(saved).filter((file) => file.endsWith('.yaml'));
  const { steps } = parse(readFileSync(join(saved, yaml), 'utf8')) as {
    readonly steps: readonly { readonly operation: string; readonly together?: string }[];
  };
  return steps.map(({ operation, together }) => [operation, together]);
}

test('a race is saved with its group of steps and the read that shows it', async () => {
  expect(await savedSteps('lost-update', 200)).toEqual([
    ['changeShow', 'changes'],
    ['changeShow', 'changes'],
    ['getShow', undefined],
  ]);
});

test('a failure that one step of a group shows alone is saved without the group', async () => {
  expect(await savedSteps('waits', 204)).toEqual([['changeShow', undefined]]);
});
