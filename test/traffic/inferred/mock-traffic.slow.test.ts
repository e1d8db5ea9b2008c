import { join } from 'node:path';
import { findDocuments } from '../../corpus/find-documents';
import { trafficOf } from './traffic';
import { judge, type Trial } from './trial';

const ROOT = join(__dirname, '..', '..', '..');
/** Without operations that a client calls, or with bodies that are no value of a schema alone. */
const WITHOUT_TRAFFIC = /(?:webhooks-31|callbacks)\.yaml$/;

const DESCRIPTIONS = [
  ...findDocuments(join(ROOT, 'test', 'corpus', 'documents')),
  ...findDocuments(join(ROOT, 'examples', 'library')),
  join(ROOT, 'spec', 'petstore.yaml'),
].filter((file) => !WITHOUT_TRAFFIC.test(file));

const trials = new Map<string, Promise<Trial>>();

function trialOf(description: string): Promise<Trial> {
  const known = trials.get(description) ?? trafficOf({ description }).then(judge);
  trials.set(description, known);
  return known;
}

describe('descriptions from the traffic of mocks', () => {
  it.each(DESCRIPTIONS.map((file) => [file.slice(ROOT.length + 1), file]))('fit all of that of %s', async (_, file) => {
    const { findings, misfits } = await trialOf(file);
    expect([findings, misfits]).toEqual([[], []]);
  });

  it('find nine of ten collections, by their keys', async () => {
    const all = await Promise.all(DESCRIPTIONS.map(trialOf));
    const missing = all.flatMap(({ wanted, found }) => wanted.filter((name) => !found.includes(name)));
    const wanted = all.flatMap((trial) => trial.wanted);
    expect(wanted.length).toBeGreaterThan(10);
    expect(missing.length / wanted.length).toBeLessThanOrEqual(0.1);
  });
});
