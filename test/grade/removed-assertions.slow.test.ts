import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { gradeContracts } from '../../src/library/grade';
import { ROOT } from '../project/source-files';
import { temporaryFolder } from '../support/temporary-folder';

/**
 * Assertions of the bundled contracts, and a defect that each of them alone notices: made by hand. That a list keeps to its
 * filter and its limit is seen without any.
 */
const REMOVED: readonly {
  readonly file: string;
  readonly steps: RegExp;
  readonly at: readonly string[];
  readonly id: string;
}[] = [
  { file: 'core/pets', steps: /those that are pending/, at: ['body', '$not'], id: 'list-without-last listPets' },
  { file: 'full/pets-create-refused', steps: /./, at: ['code'], id: 'other-code createPet' },
  {
    file: 'core/categories',
    steps: /with a description/,
    at: ['body', 'description'],
    id: 'without createCategory /description',
  },
  { file: 'core/categories', steps: /^so is the second/, at: ['body', '$not'], id: 'list-without-last listCategories' },
  { file: 'core/categories', steps: /under its name/, at: ['body', '$not'], id: 'other-value listCategories /*/name' },
  {
    file: 'core/inventory',
    steps: /^set the stock (?:of the pet,|to nothing)/,
    at: ['body', 'quantity'],
    id: 'other-value updateInventory /quantity',
  },
  { file: 'full/categories-refused', steps: /./, at: ['code'], id: 'other-code createCategory' },
];

const folder = temporaryFolder();

async function verdictOf(text: string, id: string): Promise<string | undefined> {
  const contracts = folder.write('contract.yaml', text);
  const { defects } = await gradeContracts({ contracts, only: [id] });
  return defects[0]?.verdict;
}

test.each(REMOVED)(
  '$id is noticed by contracts/$file.yaml, and not without $at of $steps',
  async ({ file, steps, at, id }) => {
    const text = readFileSync(join(ROOT, 'contracts', `${file}.yaml`), 'utf8');
    const document = parseDocument(text, { intAsBigInt: true });
    const all = (document.toJS() as { steps: { name: string; expect: { body?: object } }[] }).steps;
    const chosen = all.flatMap(({ name, expect: { body } }, index) => (steps.test(name) ? [{ index, body }] : []));
    expect(chosen).not.toEqual([]);
    for (const { index, body } of chosen) {
      // Nothing is left of a body that had this alone.
      const path = at.length > 1 && Object.keys(body ?? {}).length === 1 ? at.slice(0, 1) : at;
      document.deleteIn(['steps', index, 'expect', ...path]);
    }
    expect(await verdictOf(text, id)).toBe('noticed');
    expect(['missed', 'unreached']).toContain(await verdictOf(document.toString(), id));
  },
);
