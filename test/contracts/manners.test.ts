import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { scalarText, stringifyJson } from '../../src/core/json/stringify-json';
import type { Contract, Step, StepBody } from '../../src/formats/contract/contract';
import { contractsOf, filesOf, ROOT } from './bundled';

const ABSENT = '9223372036854775807';
const TOO_LARGE = ['9223372036854775808', '99999999999999999999999999999999999999999'];
const CONTRACTS = [...contractsOf('core'), ...contractsOf('full')];
const FILES = [...filesOf('core'), ...filesOf('full')];

const stepsOf = ({ setup, steps, cleanup }: Contract): Step[] => [...setup, ...steps, ...cleanup];
const called = ({ request }: Step): string => (request.kind === 'raw' ? request.path : request.operationId);

/** Ids that a step names in its path, its query or its body, as they are written. */
function idsIn({ request, body }: Step): string[] {
  const named =
    request.kind === 'raw'
      ? [...request.path.matchAll(/\/(\d[\w.]*)|\b(?:id|petId|categoryId)=([^&]*)/g)].map(
          (match) => match[1] ?? match[2],
        )
      : request.parameters
          .filter(({ name }) => /^id$|Id$/.test(name))
          .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
          .map((value) => stringifyJson(value).replace(/^"(.*)"$/, '$1'));
  const text = body === undefined ? '' : textOf(body);
  const sent = [...text.matchAll(/"(?:petId|categoryId)":\s*"?([^",}]+)/g)].map(([, id]) => id);
  return [...named, ...sent].filter((id): id is string => id !== undefined);
}

/** The bundled contracts send JSON, and text that is none. */
function textOf(body: StepBody): string {
  if (body.kind === 'json') return stringifyJson(body.value);
  return body.kind === 'text' ? body.text : JSON.stringify(body);
}

test.each(FILES)('%s names its steps, its tags and the schema that editors complete it by', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../contract.schema.json');
  const contract = CONTRACTS.find(({ document }) => document.file.endsWith(file))!;
  expect(contract.tags.length).toBeGreaterThan(0);
  expect(contract.tags.includes('core')).toBe(file.startsWith(join('contracts', 'core')));
  // A cleanup step is named by its operation; it speaks only when it fails.
  const nameless = [...contract.setup, ...contract.steps].filter((step) => step.name === called(step));
  expect(nameless).toEqual([]);
  const names = [...contract.setup, ...contract.steps].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each(FILES)('%s relies on no id that happens to exist', (file) => {
  const contract = CONTRACTS.find(({ document }) => document.file.endsWith(file))!;
  const ids = stepsOf(contract).flatMap((step) => (step.expect.statuses.includes(400) ? [] : idsIn(step)));
  const literal = ids.filter((id) => /^-?\d+$/.test(id) && id !== ABSENT && !TOO_LARGE.includes(id));
  expect(literal).toEqual([]);
});

test('what a contract creates has the id of the run in its name, unless the name is the point', () => {
  const names = CONTRACTS.flatMap((contract) =>
    stepsOf(contract).flatMap(({ request, body, expect: { statuses } }) => {
      const isCreation = request.kind === 'operation' && ['createPet', 'createCategory'].includes(request.operationId);
      if (!isCreation || !statuses.includes(201) || body === undefined) return [];
      return [textOf(body)];
    }),
  );
  const nameless = names.filter((body) => !body.includes('${runId}'));
  // The shortest names that there can be have no room for it.
  expect(nameless).toEqual(['{"name":"x","categoryId":"${categoryId}"}']);
});

test('contracts share no name that one of them filters a list by, since they run beside each other', () => {
  const owners = new Map<string, Set<string>>();
  for (const contract of CONTRACTS) {
    for (const { request, body } of stepsOf(contract)) {
      if (request.kind !== 'operation' || body?.kind !== 'json') continue;
      const [, name] = /"name":"((?:[^"\\]|\\.)*)"/.exec(stringifyJson(body.value)) ?? [];
      const kind = /Category/.test(request.operationId) ? 'category' : 'pet';
      if (name === undefined) continue;
      const key = `${kind} ${name}`;
      owners.set(key, (owners.get(key) ?? new Set()).add(basename(contract.document.file)));
    }
  }
  const filtered = CONTRACTS.flatMap((contract) =>
    stepsOf(contract).flatMap(({ request }) => {
      if (request.kind !== 'operation' || request.parameters.some(({ name }) => name === 'categoryId')) return [];
      const kind = request.operationId === 'listCategories' ? 'category' : 'pet';
      return request.parameters
        .filter(({ name, in: location }) => name === 'name' && location === 'query')
        .map(({ value }) => `${kind} ${scalarText(value)}`);
    }),
  );
  const shared = filtered.filter((key) => (owners.get(key)?.size ?? 0) > 1);
  expect([...new Set(shared)]).toEqual([]);
});

test('everything that a contract captures as an id of its own is removed in its cleanup, or said to stay', () => {
  const REMOVALS: Readonly<Record<string, string>> = {
    createPet: 'deletePet',
    createCategory: 'deleteCategory',
    placeOrder: 'cancelOrder',
  };
  const left = CONTRACTS.flatMap((contract) => {
    const removed = new Set(
      contract.cleanup.flatMap((step) => placeholders(step).map((name) => `${called(step)} ${name}`)),
    );
    return [...contract.setup, ...contract.steps].flatMap((step) => {
      const removal = REMOVALS[called(step)];
      if (removal === undefined || step.leaves !== undefined || !step.expect.statuses.includes(201)) return [];
      const ids = step.captures.filter(({ expression }) => expression.kind === 'body' && expression.pointer === '/id');
      return ids
        .filter(({ name }) => !removed.has(`${removal} ${name}`))
        .map(({ name }) => `${contract.name}: ${name}`);
    });
  });
  expect(left).toEqual([]);
});

function placeholders({ request }: Step): string[] {
  if (request.kind === 'raw') return [];
  return request.parameters.flatMap(({ value }) =>
    [...stringifyJson(value).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!),
  );
}
