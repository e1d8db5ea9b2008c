import { getAtPointer, parentPointer, parsePointer } from '../../../src/core/json/json-pointer';
import { copyJson, type JsonObject, type JsonValue, setProperty } from '../../../src/core/json/json-value';
import { readSource } from '../../../src/openapi/read/read-source';
import type { ContractDraft } from '../../../src/traffic/contract/contract-draft';
import { mergeContract } from '../../../src/traffic/update/merge-contract';
import type { ContractMerge } from '../../../src/traffic/update/merge-report';

export const FILE = 'shop.contract.yaml';

/** A contract as it might be generated of a recording. */
export const BASE: ContractDraft = {
  value: {
    standin: 'contract/1',
    name: 'Shop',
    tags: ['recorded'],
    env: ['SHOP_PASSWORD'],
    setup: [
      {
        name: 'log in',
        operation: 'login',
        body: { user: 'ada', password: '${env.SHOP_PASSWORD}' },
        expect: { status: 200 },
        capture: { token: '$response.body#/token' },
      },
    ],
    steps: [
      {
        name: 'add an item',
        operation: 'addItem',
        body: { name: 'Tea ${runId}', price: 2.5 },
        expect: { status: 201, body: { id: { $type: 'integer' }, name: 'Tea ${runId}', price: 2.5, state: 'new' } },
        capture: { itemId: '$response.body#/id' },
      },
      {
        name: 'read the item',
        operation: 'getItem',
        parameters: { itemId: '${itemId}' },
        expect: {
          status: 200,
          body: {
            id: '${itemId}',
            name: 'Tea ${runId}',
            price: 2.5,
            state: 'new',
            seller: { name: 'Ada', city: 'London' },
          },
        },
      },
      {
        name: 'list the items',
        operation: 'listItems',
        parameters: { limit: 10 },
        expect: { status: 200, body: { $contains: { id: '${itemId}' } } },
      },
    ],
    cleanup: [
      { operation: 'deleteItem', parameters: { itemId: '${itemId}' }, expect: { status: [204, 404] } },
      { operation: 'logout', expect: { status: 204 } },
    ],
  },
  header: ['yaml-language-server: $schema=../contract.schema.json', 'Recorded at https://shop.example: 6 requests.'],
  comments: [
    { pointer: '/steps/0', text: 'Exchange 2.' },
    { pointer: '/steps/1/expect/body/state', text: 'It may change.\nThen a matcher is better.' },
    { pointer: '/cleanup', text: 'Last step first.' },
  ],
};

export function merge(theirs: string, ours: ContractDraft, base: ContractDraft = BASE): ContractMerge {
  return mergeContract({ base, theirs, ours, file: FILE });
}

export function valueOf(text: string): JsonObject {
  return readSource(text, FILE).root as JsonObject;
}

/** A draft with another value at a pointer; `undefined` removes what is there, `-` at the end of a list adds. */
export function withValue(draft: ContractDraft, pointer: string, value: JsonValue | undefined): ContractDraft {
  const copy = copyJson(draft.value) as JsonObject;
  const parent = getAtPointer(copy, parentPointer(pointer) ?? '') as JsonValue[] & Record<string, JsonValue>;
  const name = parsePointer(pointer).at(-1) ?? '';
  if (Array.isArray(parent))
    parent.splice(name === '-' ? parent.length : Number(name), 1, ...(value === undefined ? [] : [value]));
  else if (value === undefined) Reflect.deleteProperty(parent, name);
  else setProperty(parent, name, value);
  const comments = draft.comments.filter((comment) => getAtPointer(copy, comment.pointer) !== undefined);
  return { ...draft, value: copy, comments };
}

/** A draft with a step put in before the one at a pointer; comments stay with their steps. */
export function withStep(draft: ContractDraft, pointer: string, step: JsonObject): ContractDraft {
  const copy = copyJson(draft.value) as JsonObject;
  const [phase = '', index = '0'] = parsePointer(pointer);
  (copy[phase] as JsonValue[]).splice(Number(index), 0, step);
  return { ...draft, value: copy, comments: moved(draft.comments, phase, Number(index), 1) };
}

export function withoutStep(draft: ContractDraft, pointer: string): ContractDraft {
  const copy = copyJson(draft.value) as JsonObject;
  const [phase = '', index = '0'] = parsePointer(pointer);
  (copy[phase] as JsonValue[]).splice(Number(index), 1);
  const left = draft.comments.filter(
    (comment) => comment.pointer !== pointer && !comment.pointer.startsWith(`${pointer}/`),
  );
  return { ...draft, value: copy, comments: moved(left, phase, Number(index) + 1, -1) };
}

function moved(
  comments: ContractDraft['comments'],
  phase: string,
  from: number,
  by: number,
): ContractDraft['comments'] {
  return comments.map((comment) => {
    const [first, index, ...rest] = parsePointer(comment.pointer);
    if (first !== phase || index === undefined || Number(index) < from) return comment;
    return { ...comment, pointer: ['', phase, String(Number(index) + by), ...rest].join('/') };
  });
}
