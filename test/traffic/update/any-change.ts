import fc from 'fast-check';
import { getAtPointer, joinPointer } from '../../../src/core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json/json-value';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import type { ContractDraft } from '../../../src/traffic/contract/contract-draft';
import { anyJson } from '../contract/any-json';
import { valueOf, withoutStep, withStep, withValue } from './shop-draft';
import { anyCharacter } from '../../support/any-character';

/** A change of what is generated; it may be none where a draft has nothing of the kind any more. */
export type Change = (draft: ContractDraft) => ContractDraft;

/** A change that a person makes of the text. */
export type Edit = (text: string) => string;

const PLACES = [
  '/steps/0/body',
  '/steps/0/expect/body',
  '/steps/1/expect/body',
  '/setup/0/body',
  '/steps/2/expect/body',
];

/** JSON that an expectation can have: a name that begins with $ would be that of a matcher. */
const anyBody = (): fc.Arbitrary<JsonValue> => anyJson().filter((json) => !hasMatchers(json));

function hasMatchers(json: JsonValue): boolean {
  if (Array.isArray(json)) return json.some(hasMatchers);
  return isJsonObject(json) && Object.entries(json).some(([name, value]) => name.startsWith('$') || hasMatchers(value));
}

/** Values are what JSON can hold, so that trouble with YAML is met; steps come and go, comments change. */
export function anyChange(): fc.Arbitrary<Change> {
  const name = fc.constantFrom('name', 'price', 'state', 'seller', 'more', 'a b', '');
  const value: fc.Arbitrary<Change> = fc.tuple(fc.constantFrom(...PLACES), name, anyBody()).map(
    ([place, key, json]) =>
      (draft) =>
        inPlace(draft, place, key, json),
  );
  const gone: fc.Arbitrary<Change> = fc.tuple(fc.constantFrom(...PLACES), name).map(
    ([place, key]) =>
      (draft) =>
        inPlace(draft, place, key, undefined),
  );
  const step: fc.Arbitrary<Change> = fc
    .tuple(fc.constantFrom('setup', 'steps', 'cleanup'), fc.nat(3), anyJson())
    .map(([phase, index, body]) => (draft) => {
      const at = Math.min(index, stepsIn(draft, phase));
      return withStep(draft, `/${phase}/${at}`, {
        name: 'a new one',
        operation: 'ping',
        body,
        expect: { status: 200 },
      });
    });
  const goneStep: fc.Arbitrary<Change> = fc
    .tuple(fc.constantFrom('setup', 'steps', 'cleanup'), fc.nat(3))
    .map(([phase, index]) => (draft) => {
      return stepsIn(draft, phase) > Math.max(index, 1) ? withoutStep(draft, `/${phase}/${index}`) : draft;
    });
  const comment: fc.Arbitrary<Change> = fc
    .tuple(
      fc.constantFrom('', ...PLACES, '/steps/1', '/cleanup', '/steps/1/expect/status', '/tags/0'),
      fc.string({ unit: anyCharacter }),
    )
    .map(([pointer, text]) => (draft) => {
      const others = draft.comments.filter((each) => each.pointer !== pointer);
      return getAtPointer(draft.value, pointer) === undefined
        ? draft
        : { ...draft, comments: [...others, { pointer, text }] };
    });
  return fc
    .array(fc.oneof(value, gone, step, goneStep, comment), { minLength: 1, maxLength: 4 })
    .map((all) => (draft) => all.reduce((now, change) => change(now), draft));
}

/** A value at one of the places, and another one at another. */
export function twoValues(): fc.Arbitrary<readonly { readonly pointer: string; readonly value: JsonValue }[]> {
  const key = fc.constantFrom('name', 'price', 'state', 'more');
  const place = fc.tuple(fc.constantFrom(...PLACES.slice(0, 4)), key).map(([at, name]) => joinPointer(at, name));
  const value = fc.record({ pointer: place, value: anyBody() });
  return fc.uniqueArray(value, { minLength: 2, maxLength: 2, selector: ({ pointer }) => pointer });
}

function inPlace(draft: ContractDraft, place: string, key: string, json: JsonValue | undefined): ContractDraft {
  const object = getAtPointer(draft.value, place);
  // A matcher has no other properties.
  const isPlain = isJsonObject(object) && !Object.keys(object).some((name) => name.startsWith('$'));
  return isPlain ? withValue(draft, joinPointer(place, key), json) : draft;
}

function stepsIn({ value }: { readonly value: JsonObject }, phase: string): number {
  const steps = value[phase];
  return Array.isArray(steps) ? steps.length : 0;
}

/** What keeps a text a contract: comments, blank lines, quotes, other values, steps that come, go and move. */
export function anyEdit(): fc.Arbitrary<Edit> {
  const line = fc.nat(60);
  const comment: fc.Arbitrary<Edit> = line.map((at) => (text) => {
    return inLines(
      text,
      at,
      (before) => `${/^[ -]*/.exec(before)?.[0].replaceAll('-', ' ') ?? ''}# her own\n${before}`,
    );
  });
  const behind: fc.Arbitrary<Edit> = line.map((at) => (text) => inLines(text, at, (before) => `${before} # behind`));
  const blank: fc.Arbitrary<Edit> = line.map((at) => (text) => inLines(text, at, (before) => `\n${before}`));
  const quotes: fc.Arbitrary<Edit> = line.map(
    (at) => (text) => inLines(text, at, (before) => before.replaceAll(/'(\$\{\w+\})'/g, '"$1"')),
  );
  const number: fc.Arbitrary<Edit> = fc.tuple(line, anyBody()).map(([at, json]) => (text) => {
    return inLines(text, at, (before) =>
      before.replace(/(price: |name: (?=T|'T)|city: )(?:'[^']*'|[\w.]+)/, (_, key: string) => key + asFlow(json)),
    );
  });
  const steps: fc.Arbitrary<Edit> = fc.constantFrom<Edit>(
    (text) => text.replace(/ {2}- name: list the items[^]*?\n\n/, ''),
    (text) =>
      text.replace('\nsteps:\n', '\nsteps:\n  # First of all.\n  - operation: ping\n    expect: { status: 200 }\n\n'),
    (text) => text.replace('  - name: list', '  - { operation: ping, expect: { status: 200 } }\n\n  - name: list'),
    (text) =>
      text.replace(
        '  - { operation: logout',
        '  - { operation: ping, expect: { status: 200 } }\n  - { operation: logout',
      ),
    (text) => text.replace('name: read the item', 'name: look at it'),
    (text) => text.replace('    operation: getItem\n', '    operation: getItem\n    tags: [smoke]\n'),
  );
  return fc
    .array(fc.oneof(comment, behind, blank, quotes, number, steps), { minLength: 1, maxLength: 5 })
    .map((all) => (text) => all.reduce((now, edit) => ifReadable(edit(now), now), text));
}

/** One edit may leave half of what another one looks for. */
function ifReadable(text: string, otherwise: string): string {
  try {
    return Array.isArray(valueOf(text)['steps']) ? text : otherwise;
  } catch {
    return otherwise;
  }
}

/** In braces, so that it can stand anywhere; JSON is YAML apart from escapes of halves of letters. */
function asFlow(json: JsonValue): string {
  return stringifyJson(json).replaceAll('\u007f', '\\u007f').replaceAll('\uFEFF', '\\uFEFF');
}

/** Lines in a text of several lines are its text: those have none of ours. */
function inLines(text: string, at: number, edit: (line: string) => string): string {
  const lines = text.split('\n');
  const before = lines[at];
  if (before === undefined || before === '' || /^\s*#/.test(before)) return text;
  lines[at] = edit(before);
  return lines.join('\n');
}
