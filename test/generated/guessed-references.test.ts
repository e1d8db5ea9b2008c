import { object, text } from '../support/small-api';
import { collection, failed, ID, left, run, Service, whole } from './reach-service';

test.each(['', 'An item that does not exist is answered with 422.'])(
  'what only its name makes the key of another thing has to be there only where the description says so (%s)',
  async (description) => {
    const service = new Service();
    const loans = collection('loans', { ...object({ ...ID, item: text, note: text }), required: ['item'] });
    const sketches = { ...collection('items', object({ ...ID, label: text })), ...loans };
    Object.assign(sketches['POST /loans'] ?? {}, { description });
    const { result } = await run(service, sketches);
    expect(failed(result).map((each) => each.replace(/:.*/, ''))).toEqual(
      description === '' ? [] : ['add a loan whose item nobody has', 'add a loan of the item that was removed'],
    );
    expect(left(service)).toEqual([]);
  },
);

test('what is named after, or described as, a thing of another kind gets the key of one that the run made', async () => {
  const service = new Service();
  const amounts = new Map<unknown, unknown>();
  service.create = (name, body) => {
    if (name !== 'loans') return undefined;
    amounts.set(body['item'], body['count']);
    const isKnown = service.of('items').has(String(body['item'])) && service.of('members').has(String(body['by']));
    return isKnown ? undefined : [422, { message: 'cannot be processed' }];
  };
  const by = { type: 'string', description: 'The member who borrows it' };
  const { called } = await run(service, {
    ...collection('items', object({ ...ID, label: text })),
    ...collection('members', object({ ...ID, name: text })),
    ...collection('loans', { ...object({ ...ID, item: text, by, count: whole }), required: ['item', 'by', 'count'] }),
  });
  expect(called).toContain('DELETE /loans/{id}');
  expect(left(service)).toEqual([]);
});
