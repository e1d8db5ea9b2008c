import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { object, smallApi, text } from '../support/small-api';
import { LENDING, lending, RETURN } from './lending-service';
import { type Answer, collection, failed, ID, type Item, run, Service, told } from './reach-service';

describe('an action that is done once', () => {
  test('is refused the second time', async () => {
    const service = lending();
    const { act } = service;
    service.act = (item, verb, body) =>
      verb === 'return' ? [200, { ...item, state: 'returned' }] : act(item, verb, body);
    const { result } = await run(service, { ...LENDING, ...RETURN }, undefined, 'full');
    expect(told(result)).toContain('return of the loan, once more');
    // It does not stay either.
    expect(failed(result).map((line) => line.split(':')[0])).toContain('the loan is as return showed it');
  });

  test.each([
    { says: '409 unless it is out.', isFound: true },
    { says: '409 for a loan that is returned already.', isFound: true },
    { says: '409 while it is out or returned.', isFound: false },
    { says: 'Nothing happens to a loan that is returned already. 409 unless it is out.', isFound: false },
  ])('is known by what it says: $says', ({ says, isFound }) => {
    const saying = { 'POST /loans/{id}/return': { ...RETURN['POST /loans/{id}/return'], description: says } };
    const { api } = loadDescriptionText(smallApi({ ...LENDING, ...saying }), 'lending.json');
    const contracts = [...generateContracts(api, { seed: '1', families: new Set(['lifecycle']), mayLeave: true })];
    const steps = contracts.flatMap((contract) => contract['steps'] as { readonly name: string }[]);
    // That a service which does it again is told of is seen above.
    expect(steps.some(({ name }) => name === 'return of the loan, once more')).toBe(isFound);
  });

  test('may be done again where the description does not say that it may not', async () => {
    const service = lending();
    service.act = (item) => [200, service.store('loans', { ...item, state: 'returned' })];
    const plain = { 'POST /loans/{id}/return': { ...RETURN['POST /loans/{id}/return'], description: 'Ends a loan.' } };
    const { result } = await run(service, { ...LENDING, ...plain }, undefined, 'full');
    expect(failed(result)).toEqual([]);
  });
});

describe('an action', () => {
  const state = (...words: string[]): object => ({ type: 'string', enum: words, readOnly: true });
  const ticket = object({ ...ID, title: text, state: state('open', 'closed') });
  const slow = object({ ...ID, title: text, state: state('open', 'closing', 'closed') });
  const job = object({ id: text, state: state('queued', 'done', 'failed') });
  const begin = (service: Service, item: Item, word: string): Item => {
    service.store('tickets', { ...item, state: 'closed' });
    return { ...item, state: word };
  };

  test('that is refused shows no state, whatever its problem has under the name of one', async () => {
    const sheet = object({ ...ID, title: text, status: state('draft', 'issued', 'void') });
    const service = new Service();
    service.create = (name, body) => [201, service.store(name, { ...body, status: 'draft' })];
    service.act = () => [409, { type: 'about:blank', title: 'Not issued yet.', status: 409 }];
    const answers = { 200: sheet, 404: null, 409: null };
    const sketches = {
      ...collection('sheets', sheet),
      'POST /sheets/{id}/void': { description: 'Sets the status to `void`.', answers },
    };
    const { called, result } = await run(service, sketches, ['lifecycle'], 'full');
    expect(service.calls).toContain('POST sheets/{id}/void 409');
    expect(called).not.toContain('POST /sheets/{id}/void');
    expect(failed(result)).toEqual([]);
  });

  test('need not show the flag that would go with the state', async () => {
    const bill = object({
      ...ID,
      title: text,
      state: state('open', 'voided'),
      voided: { type: 'boolean', readOnly: true },
    });
    const service = new Service();
    service.create = (name, body) => [201, service.store(name, { ...body, state: 'open' })];
    service.act = (item) => [200, service.store('bills', { ...item, state: 'voided' })];
    const sketches = { ...collection('bills', bill), 'POST /bills/{id}/void': { answers: { 200: bill, 404: null } } };
    const { called, result } = await run(service, sketches, ['lifecycle'], 'full');
    expect(called).toContain('POST /bills/{id}/void');
    expect(failed(result)).toEqual([]);
  });

  test.each<{
    what: string;
    item: object;
    answers: object;
    text: string;
    act: (service: Service, item: Item) => Answer;
  }>([
    {
      what: 'that is only accepted',
      item: ticket,
      answers: { 202: ticket },
      text: 'Closes it.',
      act: (service, item) => [202, begin(service, item, 'open')],
    },
    {
      what: 'that goes on',
      item: slow,
      answers: { 200: slow },
      text: 'Closes it.',
      act: (service, item) => [200, begin(service, item, 'closing')],
    },
    {
      what: 'that is a job',
      item: ticket,
      answers: { 200: job },
      text: 'Closes it.',
      act: (service, item) => [200, { ...begin(service, item, 'queued'), id: 'job' }],
    },
    {
      what: 'that may be done twice',
      item: ticket,
      answers: { 200: ticket },
      text: 'Closes it, also if it is already closed.',
      act: (service, item) => [200, service.store('tickets', { ...item, state: 'closed' })],
    },
  ])('$what is no fault', async ({ item, answers, text: description, act }) => {
    const service = new Service();
    service.create = (name, body) => [201, service.store(name, { ...body, state: 'open' })];
    service.act = (row) => act(service, row);
    const sketches = {
      ...collection('tickets', item),
      'POST /tickets/{id}/close': { description, answers: { ...answers, 404: null, 409: null } },
    };
    const { called, result } = await run(service, sketches, ['lifecycle'], 'full');
    expect(called).toContain('POST /tickets/{id}/close');
    expect(failed(result)).toEqual([]);
  });
});
