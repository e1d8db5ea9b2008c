import { exchange } from '../recorded';
import { contractOf } from './derived';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('JSON that curl calls a form is a body of JSON, whose values are carried on', () => {
  const text = contractOf([
    exchange('POST /leases', { headers: form, sent: '{"TTL":"600"}', answered: { ID: '4025551826653271302' } }),
    exchange('POST /leases/revoke', { headers: form, sent: '{"ID":"4025551826653271302"}', answered: {} }),
  ]);
  expect(text).toContain("body: { TTL: '600' }");
  expect(text).toContain("body: { ID: '${id}' }");
  expect(text).not.toMatch(/form:|Content-Type/);
});

test('a form stays one', () => {
  const text = contractOf([exchange('POST /leases', { headers: form, sent: 'TTL=600&note=%7Ba%7D', answered: {} })]);
  expect(text).toContain("form: { TTL: '600', note: '{a}' }");
});
