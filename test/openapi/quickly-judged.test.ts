import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentValidator } from '../../src/files/load-description';
import { SpecError } from '../../src/core/errors/standin-error';
import { plainNumbers } from '../../src/core/json/json-value';
import { grammarVersionOf } from '../../src/openapi/read/object-grammar';
import { readSource } from '../../src/openapi/read/read-source';

type Place = { readonly holder: Record<string, unknown>; readonly name: string };

const ROOT = join(__dirname, '..', '..');
const CORPUS = join(ROOT, 'test', 'corpus', 'documents');
const BAD = join(ROOT, 'test', 'cases', 'bad-documents');
const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name) && entry.name !== 'expected.json')
    .map((entry) => join(entry.parentPath, entry.name));

/** The documents that the quick judge is for, by their files, with plain numbers. */
const documents = [join(ROOT, 'spec', 'petstore.yaml'), ...files(CORPUS), ...files(BAD)].flatMap((file) => {
  try {
    const document = readSource(readFileSync(file, 'utf8'), file);
    const version = grammarVersionOf(document);
    return version === '2.0' || version === '3.0'
      ? [{ file: file.slice(ROOT.length + 1), version, root: plainNumbers(document.root) }]
      : [];
  } catch (error) {
    if (error instanceof SpecError || error instanceof TypeError) return [];
    throw error;
  }
});

test.each(documents)('$file is accepted as it is judged', ({ version, root }) => {
  const { accepts, validate } = documentValidator(version);
  expect(accepts?.(root)).toBe(validate(root));
});

/** What may stand in the place of a member. */
const OTHERS: readonly unknown[] = [null, true, -1, 1.5, '', 'text', [], ['a', 'a'], {}, { a: 1 }, { $ref: '#/a' }];
const STRANGERS = ['unknown', 'x-known', '$ref', 'default', '/path', 'type', 'schema'];
const MOST_CHANGES = 70;

test.each(documents.filter(({ root }) => placesIn(root).length > 30).slice(0, 8))(
  'changed at any place, $file is accepted as it is judged',
  ({ version, root }) => {
    const { accepts, validate } = documentValidator(version);
    const places = placesIn(root);
    // Spread over all of the document: neighbours are much alike.
    const step = Math.max(1, Math.floor(places.length / MOST_CHANGES));
    const verdicts = new Set<boolean>();
    const disagreements: string[] = [];
    for (let index = 0; index < places.length; index += step) {
      const { holder, name } = places[index]!;
      const was = Object.entries(holder);
      change(holder, name, index);
      const verdict = validate(root);
      verdicts.add(verdict);
      if (accepts?.(root) !== verdict) disagreements.push(`${name}: ${JSON.stringify(holder)}`);
      for (const key of Object.keys(holder)) Reflect.deleteProperty(holder, key);
      Object.assign(holder, Object.fromEntries(was));
    }
    expect(disagreements).toStrictEqual([]);
    expect([...verdicts].toSorted()).toStrictEqual([false, true]);
  },
);

/** Takes a member away, puts something else in its place, or puts a stranger beside it. */
function change(holder: Record<string, unknown>, name: string, index: number): void {
  const other = OTHERS[index % OTHERS.length];
  if (index % 3 === 0) Reflect.deleteProperty(holder, name);
  else if (index % 3 === 1) holder[name] = other;
  else holder[STRANGERS[index % STRANGERS.length]!] = other;
}

function placesIn(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) {
    for (const item of value) placesIn(item, found);
    return found;
  }
  const holder = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(holder)) {
    found.push({ holder, name });
    placesIn(member, found);
  }
  return found;
}
