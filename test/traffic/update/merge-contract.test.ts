import { type ContractError, formatStandinError } from '../../../src/core/errors/standin-error';
import type { JsonObject } from '../../../src/core/json/json-value';
import { stringifyJsonPretty } from '../../../src/core/json/stringify-json';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { describeMerge } from '../../../src/traffic/update/describe-merge';
import { CHANGES, edited, EDITS, PAY, READ_STATE, TEXT } from './edits-and-changes';
import { BASE, FILE, merge, valueOf, withoutStep, withStep, withValue } from './shop-draft';

test.each(Object.keys(CHANGES))('without edits, %s makes what is generated', (name) => {
  const { ours } = CHANGES[name]!;
  const merged = merge(TEXT, ours);
  expect(merged.text).toBe(contractText(ours));
  expect([merged.kept, merged.conflicts, merged.unknown]).toStrictEqual([[], [], []]);
});

test.each(Object.keys(EDITS))('where nothing else is generated, %s stays to the last character', (name) => {
  const merged = merge(EDITS[name]!, BASE);
  expect(merged.text).toBe(EDITS[name]);
  expect(merged.isChanged).toBe(false);
  expect(merged.conflicts).toStrictEqual([]);
});

test('what both changed alike is no conflict', () => {
  const merged = merge(
    edited('state: new\n        seller', 'state: old\n        seller'),
    withValue(BASE, READ_STATE, 'old'),
  );
  expect([merged.kept, merged.conflicts]).toStrictEqual([[], []]);
  expect(merged.text).toBe(contractText(withValue(BASE, READ_STATE, 'old')));
});

test('where both changed the same differently, hers stays, and both are told with the line', () => {
  const theirs = edited('state: new\n        seller', 'state: sold # at last\n        seller');
  const merged = merge(theirs, withValue(BASE, READ_STATE, 'old'));
  expect(merged.text).toBe(theirs);
  expect(describeMerge(merged)).toStrictEqual([
    `${FILE}:36: step "read the item": expect.body.state is "sold" here, the recording says "old"; the edit stays`,
    `${FILE} is as it was`,
  ]);
  const again = merge(theirs, withValue(BASE, READ_STATE, 'old'), withValue(BASE, READ_STATE, 'old'));
  expect([again.conflicts, again.kept.length, again.text]).toStrictEqual([[], 1, theirs]);
});

test('a property that she removed and the recording changed stays removed, and that is told', () => {
  const theirs = edited('        price: 2.5\n', '');
  const merged = merge(theirs, withValue(BASE, '/steps/1/expect/body/price', 3));
  expect(merged.text).toBe(theirs);
  expect(describeMerge(merged)[0]).toContain(
    'expect.body.price was removed here, the recording says 3; the edit stays',
  );
});

test('parts of two conditions do not become a third one', () => {
  const base = withValue(BASE, READ_STATE, { $type: 'string', $length: 3 });
  const theirs = contractText(base).replace('state: { $type: string, $length: 3 }', 'state: { $pattern: ^n }');
  const merged = merge(theirs, withValue(BASE, READ_STATE, { $type: 'string', $format: 'uuid' }), base);
  expect(merged.text).toBe(theirs);
  expect(merged.conflicts).toHaveLength(1);
});

test('a step that is not recorded any more goes, and one that she edited stays and is told', () => {
  const ours = withoutStep(BASE, '/steps/2');
  const removed = merge(EDITS['a comment of her own']!, ours);
  expect(removed.text).toBe(
    edited('    operation: addItem', '    # Ours: see ticket 7.\n    operation: addItem', contractText(ours)),
  );
  expect(describeMerge(removed)).toStrictEqual(['removed 1 step; step "list the items"']);
  const kept = merge(EDITS['another status']!, ours);
  expect(kept.text).toBe(EDITS['another status']);
  expect(describeMerge(kept)[0]).toBe(
    `${FILE}:39: step "list the items" is not in the recording any more; it was edited, and so it stays: remove it by hand if it is to go`,
  );
});

test('a comment of hers keeps a step and a property that are not recorded any more', () => {
  const step = edited('    operation: listItems', '    operation: listItems # all of them');
  expect(merge(step, withoutStep(BASE, '/steps/2')).text).toBe(step);
  const property = edited('        seller:', '        # Ada, always.\n        seller:');
  const merged = merge(property, withValue(BASE, '/steps/1/expect/body/seller', undefined));
  expect(merged.text).toBe(property);
  expect(describeMerge(merged)[0]).toContain(
    'the recording has nothing there any more; a comment stands there that would be lost',
  );
});

test('a step that she removed does not come back, whatever changes in it', () => {
  const merged = merge(EDITS['a step that went']!, withValue(BASE, '/steps/2/parameters/limit', 20));
  expect(merged.text).toBe(EDITS['a step that went']);
  expect(describeMerge(merged)).toStrictEqual(['kept 1 edit; step "list the items"', `${FILE} is as it was`]);
});

test('a step that she moved is merged where it stands now', () => {
  const list = / {2}- name: list the items[^]*?\n\n/.exec(TEXT)?.[0] ?? '-';
  const theirs = edited('\n# Last', `\n${list.trimEnd()}\n\n# Last`, edited(list, '')).replace(
    '  - name: read',
    `${list}  - name: read`,
  );
  const first = theirs.replace(new RegExp(`(${list.replace(/[$.*+?()[\]{}|]/g, '\\$&')})([^]*)\\n\\1`), '$1$2');
  const merged = merge(first, withValue(BASE, '/steps/2/parameters/limit', 20));
  expect(merged.text).toContain('limit: 20');
  expect(merged.text.indexOf('limit: 20')).toBeLessThan(merged.text.indexOf('read the item'));
});

test('a second step of the same kind does not shift what she edited in the first', () => {
  const theirs = edited('state: new\n        seller', 'state: { $type: string }\n        seller');
  const read = { ...(valueOf(TEXT)['steps'] as JsonObject[])[1], parameters: { itemId: 7 } };
  const merged = merge(theirs, withStep(BASE, '/steps/1', read));
  expect(merged.conflicts).toStrictEqual([]);
  expect(merged.text.indexOf('itemId: 7')).toBeLessThan(merged.text.indexOf('state: { $type: string }'));
  expect(merged.text.match(/name: read the item/g)).toHaveLength(2);
});

test('a name that only the recording changes is changed in her own steps too', () => {
  const theirs = edited(
    '  - name: list the items',
    "  - { name: mine, operation: getItem, parameters: { itemId: '${itemId}' }, expect: { status: 200 } } # mine\n\n  - name: list the items",
  );
  const merged = merge(theirs, CHANGES['another name for a capture']!.ours);
  expect(merged.text).toContain(
    "name: mine, operation: getItem, parameters: { itemId: '${itemId_2}' }, expect: { status: 200 } } # mine",
  );
  expect(merged.unknown).toStrictEqual([]);
});

test('a new capture whose name she uses for something else gets a number', () => {
  const theirs = EDITS['another name for a capture']!.replace('    operation: addItem', '    operation: addItem # her');
  const ours = withStep(BASE, '/steps/0', { ...PAY, parameters: {}, capture: { id: '$response.body#/id' } });
  const merged = merge(theirs, withValue(ours, '/steps/2/expect/body/of', '${id}'));
  expect(merged.text).toContain('capture: { id_2: $response.body#/id }');
  expect(merged.text).toContain("of: '${id_2}'");
  expect(merged.unknown).toStrictEqual([]);
});

test('a variable of the environment that she calls something else is called so in what is generated', () => {
  const theirs = TEXT.replaceAll('SHOP_PASSWORD', 'OURS') + '\n# The end.\n';
  const merged = merge(theirs, withValue(BASE, '/setup/0/body/again', '${env.SHOP_PASSWORD}'));
  expect(merged.text).toContain("again: '${env.OURS}'");
  expect(merged.text).toContain('env: [OURS]');
  expect(merged.text.endsWith('\n# The end.\n')).toBe(true);
});

test('what names a value that no step gives any more is told', () => {
  const theirs = edited(/ {2}# Exchange 2[^]*?\n\n/.exec(TEXT)?.[0] ?? '-', '');
  const told = describeMerge(merge(theirs, withValue(BASE, '/tags/0', 'new')));
  expect(told[0]).toBe(
    `${FILE}:20: step "read the item": parameters.itemId names \${itemId}, which no step before it captures any more; correct it by hand`,
  );
});

test('what needs no capture is not missed: times of the run, its id, variables and the environment', () => {
  const body = { from: '${now+1d}', until: '${today-7d}', by: '${runId} ${env.SHOP_PASSWORD} ${tenant}' };
  const own = withValue(withValue(BASE, '/variables', { tenant: 'acme' }), '/steps/1/body', body);
  const merged = merge(contractText(own), own, own);
  expect(merged.unknown).toStrictEqual([]);
});

test('a variable of the environment that nothing declares is called so', () => {
  const theirs = edited('env: [SHOP_PASSWORD]\n', '');
  expect(describeMerge(merge(theirs, BASE)).join('\n')).toContain(
    'step "log in": body.password names ${env.SHOP_PASSWORD}, which is not declared under env; correct it by hand',
  );
});

test('what an alias repeats elsewhere is not changed, and that is told', () => {
  const theirs = edited(
    "body: { name: 'Tea ${runId}', price: 2.5 }",
    "body: &tea { name: 'Tea ${runId}', price: 2.5 }",
  ).replace('    operation: getItem\n', '    operation: getItem\n    body: *tea\n');
  const merged = merge(theirs, withValue(withValue(BASE, '/steps/0/body/price', 3), READ_STATE, 'old'));
  expect(merged.text).toBe(theirs.replace('state: new\n        seller', 'state: old\n        seller'));
  expect(describeMerge(merged)[0]).toContain('"price":3}; an alias repeats it elsewhere, and so it stays');
});

test('line ends of Windows stay, and no end of the last line is no edit', () => {
  const windows = (text: string): string => text.replaceAll('\n', '\r\n');
  const { ours } = CHANGES['a scalar']!;
  expect(merge(windows(TEXT), ours).text).toBe(windows(contractText(ours)));
  expect(merge(windows(EDITS['double quotes']!), ours).text).toContain('{ id: "${itemId}" } } }\r\n');
  expect(merge(TEXT.trimEnd(), ours).text).toBe(contractText(ours));
  expect(merge(TEXT.trimEnd(), BASE).isChanged).toBe(false);
});

test('her indentation and her braces stay around what changes', () => {
  const theirs = edited(
    '        seller: { name: Ada, city: London }\n',
    '        seller: {name: \'Ada\',\n                 city: "London"}   # both\n',
  );
  const merged = merge(theirs, withValue(BASE, '/steps/1/expect/body/seller/city', 'Paris'));
  expect(merged.text).toBe(theirs.replace('"London"', '"Paris"'));
});

test('a first property that goes leaves the next one behind the dash', () => {
  const theirs = edited('    operation: getItem\n', '    operation: getItem # hers\n');
  const merged = merge(theirs, withValue(BASE, '/steps/1/name', undefined));
  expect(merged.text).toContain('\n  - operation: getItem # hers\n    parameters');
  const commented = edited('    operation: getItem\n', '    # hers\n    operation: getItem\n');
  const other = merge(commented, withValue(BASE, '/steps/1/name', undefined));
  expect(other.text).toContain('\n  -\n    # hers\n    operation: getItem\n');
});

test('a comment of the generator that she changed or removed does not come back', () => {
  const changed = edited('# Exchange 2.', '# The second one.');
  const more = [...BASE.comments.slice(1), { pointer: '/steps/0', text: 'Exchange 3.' }];
  expect(merge(changed, { ...BASE, comments: more }).text).toBe(changed);
  const removed = edited('  # Exchange 2.\n', '');
  expect(merge(removed, { ...BASE, comments: more }).text).toBe(removed);
});

test('a comment of the generator is known again, whatever characters it had', () => {
  const said = (text: string) => ({ ...BASE, comments: [{ pointer: '/steps/0', text }] });
  const [base, ours] = [said('red \u001b[31m \r\nnext\u202e'), said('green')];
  expect(merge(contractText(base), ours, base).text).toBe(contractText(ours));
});

test('a new last property stands before a new step behind it, and that before a new comment of the next one', () => {
  const theirs = edited('    operation: getItem\n', '    operation: getItem # her own\n').replace(
    '\n\n  - name: list',
    '\n  - name: list',
  );
  const more = withStep(withValue(BASE, '/steps/1/expect/body/stock', 7), '/steps/2', PAY);
  const ours = { ...more, comments: [...more.comments, { pointer: '/steps/3', text: 'Exchange 5.' }] };
  const merged = merge(theirs, ours);
  expect(merged.text).toContain(
    [
      '        seller: { name: Ada, city: London }',
      '        stock: 7',
      '',
      '  - name: pay for the item',
      '    operation: pay',
      "    parameters: { itemId: '${itemId}' }",
      '    expect: { status: 200 }',
      '  # Exchange 5.',
      '  - name: list the items',
    ].join('\n'),
  );
});

test('a merge after which no step would be left is rejected', () => {
  const theirs = edited(/ {2}# Exchange 2[^]*(?= {2}- name: list)/.exec(TEXT)?.[0] ?? '-', '');
  const told = rejection(() => merge(theirs, withoutStep(BASE, '/steps/2')));
  expect(told).toContain(`${FILE}:17:1`);
  expect(told).toContain('No step would be left');
});

test('a contract in JSON stays JSON', () => {
  const json = (draft = BASE): string => `${stringifyJsonPretty(draft.value)}\n`;
  expect(merge(json(), BASE).isChanged).toBe(false);
  const { ours } = CHANGES['a scalar']!;
  const merged = merge(json().replace('"limit": 10', '"limit": 50'), ours);
  expect(merged.text).toBe(json(ours).replace('"limit": 10', '"limit": 50'));
});

test.each<[what: string, text: string, places: readonly string[]]>([
  ['is no YAML any more', edited('tags: [recorded]', 'tags: [recorded'), [`${FILE}:8:1`]],
  [
    'has a placeholder without quotes',
    edited("id: '${itemId}' }", 'id: ${itemId} }'),
    [`${FILE}:42:54`, "expected: '${itemId}'"],
  ],
  [
    'has a property that contracts do not have',
    edited('parameters: { limit', 'params: { limit'),
    [`${FILE}:41:5`, '/steps/2/params'],
  ],
  ['is another kind of file', 'openapi: 3.0.3\n', [`${FILE}:1:1`, 'standin']],
  ['has nothing in it', '# all gone\n', [FILE]],
  [
    'is in braces as a whole',
    '{ standin: contract/1, name: Shop, steps: [{ operation: ping, expect: { status: 200 } }] }\n',
    [`${FILE}:1:1`, 'a line for each property'],
  ],
  [
    'has comments in brackets',
    edited(/ {2}- \{ operation: deleteItem[^]*$/.exec(TEXT)?.[0] ?? '-', '  [ # none\n  ]\n'),
    [`${FILE}:45:1`, 'a dash before each step'],
  ],
])('a file that %s is rejected with its places, and nothing is made of it', (_, text, places) => {
  const told = rejection(() => merge(text, withValue(withStep(BASE, '/cleanup/0', PAY), '/tags/0', 'new')));
  for (const place of places) expect(told).toContain(place);
  expect(told).toContain('Nothing was written');
});

function rejection(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return formatStandinError(error as ContractError);
  }
  return 'nothing was rejected';
}

test('a file that nothing happened to is told in one line', () => {
  expect(describeMerge(merge(TEXT, BASE))).toStrictEqual([`${FILE} is as it was`]);
});

test('what was kept, taken, added and removed is told with the steps and their properties', () => {
  const ours = withStep(withValue(withValue(BASE, '/name', 'Shop 2'), READ_STATE, 'old'), '/steps/3', PAY);
  const merged = merge(edited('limit: 10', 'limit: 50'), withoutStep(ours, '/cleanup/1'));
  expect(describeMerge(merged)).toStrictEqual([
    'kept 1 edit; step "list the items": parameters.limit',
    'took 2 changes; the contract: name; step "read the item": expect.body.state',
    'added 1 step; step "pay for the item"',
    'removed 1 step; step "logout"',
  ]);
});
