import type { JsonObject } from '../../../src/core/json/json-value';
import type { ContractDraft } from '../../../src/traffic/contract/contract-draft';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { BASE, withStep, withValue } from './shop-draft';

/** The text of {@link BASE}. */
export const TEXT = contractText(BASE);

export const PAY: JsonObject = {
  name: 'pay for the item',
  operation: 'pay',
  parameters: { itemId: '${itemId}' },
  expect: { status: 200 },
};

/** The text with one passage in the place of another, which has to be there. */
export function edited(from: string, to: string, text = TEXT): string {
  if (!text.includes(from)) throw new Error(`${from} is not in the text`);
  return text.replace(from, () => to);
}

/** Texts that a person made of it. */
export const EDITS: Readonly<Record<string, string>> = {
  'a comment of her own': edited('    operation: addItem', '    # Ours: see ticket 7.\n    operation: addItem'),
  'a comment behind a value': edited('      status: 200\n', '      status: 200 # found\n'),
  'another status': edited(
    'expect: { status: 200, body: { $contains',
    'expect: { status: [200, 206], body: { $contains',
  ),
  'double quotes': edited("{ id: '${itemId}' }", '{ id: "${itemId}" }'),
  'a matcher': edited("name: 'Tea ${runId}'\n        price", 'name: { $type: string }\n        price'),
  'a property that went': edited("        name: 'Tea ${runId}'\n", ''),
  'a property that came': edited('    operation: getItem\n', '    operation: getItem\n    tags: [smoke]\n'),
  'a step that came': edited(
    '  - name: list the items',
    '  - { operation: ping, expect: { status: 200 } }\n\n  - name: list the items',
  ),
  'a step that came first': edited('steps:\n', 'steps:\n  - operation: ping\n    expect: { status: 200 }\n\n'),
  'a step that came last': edited(
    '\n# Last step first.',
    '\n  - operation: ping\n    expect: { status: 200 }\n\n# Last step first.',
  ),
  'a step that went': edited(/ {2}- name: list the items[^]*?\n\n/.exec(TEXT)?.[0] ?? '-', ''),
  'a step with another name': edited('read the item', 'read the item again'),
  'other blank lines': edited('\n    operation: getItem', '\n\n    operation: getItem'),
  'a section without its comment': edited('# Last step first.\n', ''),
  'another name for a capture': TEXT.replaceAll('itemId: $', 'id: $').replaceAll('${itemId}', '${id}'),
};

export const READ_STATE = '/steps/1/expect/body/state';

/** What changes in what is generated, and a part of its text that shows it. */
export const CHANGES: Readonly<
  Record<string, { readonly ours: ContractDraft; readonly has?: string; readonly hasNot?: string }>
> = {
  'a scalar': { ours: withValue(BASE, READ_STATE, 'old'), has: 'state: old' },
  'a text that needs quotes': { ours: withValue(BASE, READ_STATE, 'old: [x]'), has: "state: 'old: [x]'" },
  'a text of several lines': {
    ours: withValue(BASE, '/setup/0/body/user', 'ada\nbob'),
    has: '      user: |-\n        ada\n        bob\n',
  },
  'a value in braces': { ours: withValue(BASE, '/steps/2/parameters/limit', 20), has: 'parameters: { limit: 20 }' },
  'a new value in braces': {
    ours: withValue(BASE, '/steps/2/parameters/page', 1),
    has: 'parameters: { limit: 10, page: 1 }',
  },
  'braces that get long': {
    ours: withValue(BASE, '/setup/0/body/note', 'n'.repeat(80)),
    has: `    body:\n      user: ada\n      password: '\${env.SHOP_PASSWORD}'\n      note: ${'n'.repeat(80)}\n`,
  },
  'a new property': { ours: withValue(BASE, '/steps/1/expect/code', 'found'), has: '      code: found\n' },
  'a property that went': { ours: withValue(BASE, '/steps/1/expect/body/seller', undefined), hasNot: 'seller' },
  'a property with a comment that went': { ours: withValue(BASE, READ_STATE, undefined), hasNot: 'It may change' },
  'a list that got longer': { ours: withValue(BASE, '/tags', ['recorded', 'shop']), has: 'tags: [recorded, shop]\n' },
  'a step in between': {
    ours: withStep(BASE, '/steps/1', PAY),
    has: '\n\n  - name: pay for the item\n    operation: pay\n',
  },
  'a step before all': {
    ours: withStep(BASE, '/steps/0', { ...PAY, parameters: {} }),
    has: 'steps:\n  - name: pay for the item\n',
  },
  'a step behind all': {
    ours: withStep(BASE, '/steps/3', PAY),
    has: "\n\n  - name: pay for the item\n    operation: pay\n    parameters: { itemId: '${itemId}' }\n    expect: { status: 200 }\n\n",
  },
  'a step of the cleanup': {
    ours: withStep(BASE, '/cleanup/1', { operation: 'refund', expect: { status: 204 } }),
    has: '[204, 404] } }\n  - { operation: refund, expect: { status: 204 } }\n',
  },
  'a section that went': { ours: withValue(BASE, '/cleanup', undefined), hasNot: 'cleanup' },
  'another comment': {
    ours: { ...BASE, comments: [...BASE.comments.slice(0, 1), { pointer: READ_STATE, text: 'It changed.' }] },
    has: '        # It changed.\n        state: new\n',
    hasNot: 'It may change',
  },
  'a comment that came': {
    ours: { ...BASE, comments: [...BASE.comments, { pointer: '/steps/1/expect/status', text: 'Each time.' }] },
    has: '      # Each time.\n      status: 200\n',
  },
  'a comment inside of braces': {
    ours: {
      ...BASE,
      comments: [...BASE.comments, { pointer: '/steps/2/parameters/limit', text: 'As the page asks.' }],
    },
    has: '    parameters:\n      # As the page asks.\n      limit: 10\n',
  },
  'another header': {
    ours: { ...BASE, header: [...BASE.header.slice(0, 1), 'Recorded at https://shop.example: 9 requests.'] },
    has: '\n#\n# Recorded at https://shop.example: 9 requests.\n\n',
    hasNot: '6 requests',
  },
  'another name for a capture': {
    ours: JSON.parse(
      JSON.stringify(BASE)
        .replaceAll('"itemId":"$response', '"itemId_2":"$response')
        .replaceAll('${itemId}', '${itemId_2}'),
    ) as ContractDraft,
    has: '${itemId_2}',
    hasNot: '${itemId}',
  },
};
