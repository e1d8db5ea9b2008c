import { Outbox, outboxBetween } from '../../../src/mock/state/outbox';

const message = (text: string): { kind: string; text: string } => ({ kind: 'message', text });

test('ids by kind follow what is set, replaced and taken out', () => {
  const outbox = new Outbox(new Map([['a', message('1')]]));
  expect([...outbox.idsOf('message')]).toEqual(['a']);
  outbox.set('b', message('2'));
  outbox.set('c', { kind: 'callback' });
  outbox.set('a', { kind: 'callback' });
  outbox.set('b', null);
  expect([...outbox.idsOf('message')]).toEqual([]);
  expect([...outbox.idsOf('callback')]).toEqual(['c', 'a']);
  expect([...outbox.idsOf('nothing')]).toEqual([]);
});

test('what was shared is not changed any more, and what became of it can be told and done again', () => {
  const outbox = new Outbox();
  outbox.set('a', message('1'));
  outbox.set('b', message('2'));
  const before = outbox.share();
  outbox.set('a', null);
  outbox.set('b', message('3'));
  outbox.set('c', message('4'));
  expect([...before.keys()]).toEqual(['a', 'b']);
  const entries = outboxBetween(before, outbox.records);
  const again = new Outbox(before);
  for (const [id, record] of entries) again.set(id, record);
  expect([...again.records]).toEqual([...outbox.records]);
  expect(outboxBetween(before, before)).toEqual([]);
});
