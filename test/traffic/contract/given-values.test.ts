import type { Call } from '../../../src/traffic/flow/call';
import { GivenValues } from '../../../src/traffic/flow/given-values';
import type { Producer } from '../../../src/traffic/flow/producers';

function producer(index: number, more: Partial<Producer> = {}): Producer {
  const call = { index, operation: undefined } as unknown as Call;
  const place = 'the header X-Region';
  return {
    ...{ call, text: 'north', isText: true, expression: '$response.header.X-Region', place },
    ...{ names: new Set(['xregion']), resource: undefined, nearness: 'mention' as const },
    ...more,
  };
}

function indexesOf(given: GivenValues, text = 'north'): number[] {
  return given.of(text).map(({ call }) => call.index);
}

test('of what every response shows, the first ones and the latest are kept', () => {
  const given = new GivenValues();
  for (let index = 0; index < 10_000; index++) given.add(producer(index));
  expect(indexesOf(given)).toEqual([0, 1, 2, 9999]);
});

test('what a response shows in many places of one kind is kept by the first of them', () => {
  const given = new GivenValues();
  const [first, second] = [producer(0), producer(1)];
  for (const { call } of [first, second])
    for (let item = 0; item < 100; item++)
      given.add({ ...producer(call.index), call, expression: `$response.body#/${item}` });
  expect(given.of('north').map(({ call, expression }) => [call.index, expression])).toEqual([
    [0, '$response.body#/0'],
    [0, '$response.body#/1'],
    [0, '$response.body#/2'],
    [1, '$response.body#/0'],
  ]);
});

test('other places, other resources and the making itself are kept beside them, in the order of the calls', () => {
  const given = new GivenValues();
  for (let index = 0; index < 5; index++) given.add(producer(index));
  given.add(producer(5, { nearness: 'creation' }));
  given.add(producer(6, { resource: '/regions' }));
  given.add(producer(7, { place: 'the property region' }));
  given.add(producer(8, { names: new Set(['shopregion']) }));
  given.add(producer(9));
  expect(indexesOf(given)).toEqual([0, 1, 2, 5, 6, 7, 8, 9]);
  expect(indexesOf(given, 'south')).toEqual([]);
});
