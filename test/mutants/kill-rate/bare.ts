import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { MadeContracts } from './recorded';

const CONTRACTS = join(__dirname, '..', '..', '..', 'contracts');
/** Whatever a service may answer with by its own choice. */
const ANY = [
  200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 417, 422, 428, 431,
];

type Fields = Readonly<Record<string, unknown>>;

/**
 * The requests of the bundled contracts with nothing that is expected of the responses: any status will do, and no body
 * and no header is looked at. What is found is found by the description, and by comparison with a mock.
 */
export function bareContracts(): MadeContracts {
  const folder = mkdtempSync(join(tmpdir(), 'standin-bare-'));
  for (const part of ['core', 'full'])
    for (const name of readdirSync(join(CONTRACTS, part)).filter((each) => each.endsWith('.yaml')))
      writeFileSync(join(folder, `${part}-${name}`), JSON.stringify(bare(join(CONTRACTS, part, name))));
  return {
    file: folder,
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function bare(file: string): Fields {
  const contract = parse(readFileSync(file, 'utf8')) as Fields;
  const lists = ['setup', 'steps', 'cleanup'].filter((phase) => contract[phase] !== undefined);
  const stripped = lists.map((phase) => [phase, (contract[phase] as Fields[]).map(withoutExpectation)] as const);
  return { ...contract, ...Object.fromEntries(stripped) };
}

/** What a step waits for stays: without it the steps behind would be others. */
function withoutExpectation(step: Fields): Fields {
  return { ...step, expect: { status: ANY } };
}
