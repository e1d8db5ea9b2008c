import fc from 'fast-check';
import type { CleanExchange, RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { type Anonymiser, createAnonymiser } from '../../../src/traffic/secrets/anonymise';
import { emptyApi } from '../../../src/traffic/secrets/exchange-operation';
import { isBankAccount, isCardNumber } from '../../../src/traffic/secrets/personal-data';
import { createSecretVault } from '../../../src/traffic/secrets/secret-vault';
import { loadText } from '../../openapi/load-text';
import { recorded } from './recorded';

const { api } = loadText(`openapi: 3.0.3
info: { title: Clinic, version: 1.0.0 }
paths:
  /patients:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Patient' } } } }
      responses:
        '201': { description: new, content: { application/json: { schema: { $ref: '#/components/schemas/Patient' } } } }
  /patients/{login}:
    parameters: [{ name: login, in: path, required: true, schema: { type: string, maxLength: 8 } }]
    get: { responses: { '200': { description: fine } } }
components:
  schemas:
    Patient:
      type: object
      properties:
        name: { type: string, minLength: 3, maxLength: 12 }
        email: { type: string, format: email, maxLength: 18 }
        phone: { type: string, pattern: '^\\+49 \\d{3} \\d{4,8}$' }
        login: { type: string, pattern: '^[a-z]{3}\\d{2}$' }
        zip: { type: string, pattern: '^[1-9]\\d{4}$' }
        birthDate: { type: string, format: date }
        city: { type: string, enum: [Bonn, Ulm] }
        contacts: { type: array, items: { type: object, properties: { firstName: { type: string, maxLength: 5 } } } }
`);

const clean = (exchange: RecordedExchange): CleanExchange => ({ ...exchange, secrets: 'replaced' });

/** The body of a request, as it is made of a value, anonymised. */
function shown(body: unknown, anonymiser: Anonymiser = createAnonymiser(emptyApi()), target = '/things'): unknown {
  const { request } = anonymiser.anonymise(clean(recorded({ method: 'POST', target, body })));
  return JSON.parse(request.body?.kind === 'text' ? request.body.text : '');
}

test.each([
  ['email', 'ann.miller@shop.de', 'person1@example.com'],
  ['note', 'mail to ann.miller@shop.de, please', 'mail to person1@example.com, please'],
  ['firstName', 'Ann', 'Robin'],
  ['last_name', 'MILLER', 'EXAMPLE'],
  ['fullName', 'Ann Miller', 'Robin Example'],
  ['full_name', 'Miller, Ann', 'Example, Robin'],
  ['username', 'ann_m', 'user1'],
  ['phone', '+49 170 1234567', '+49 555 5555551'],
  ['mobileNumber', '(0170) 123-4567', '(0555) 555-5551'],
  ['street', 'Lindenallee 12b', 'Sample Street 12b'],
  ['city', 'Bielefeld', 'Sampleton'],
  ['dateOfBirth', '1984-02-29', '1950-01-02'],
  ['birthday', '29.02.1984', '02.02.1950'],
  ['dob', '1984-02-29T00:00:00Z', '1950-01-02T00:00:00Z'],
  ['ip', '93.184.216.34', '192.0.2.1'],
  ['ipAddress', '2606:2800:220:1:248:1893:25c8:1946', '2001:db8::1'],
  ['iban', 'DE89 3704 0044 0532 0130 00', 'DE09 0000 0000 0000 0000 01'],
  ['cardNumber', '4539 1488 0343 6467', '4000 0000 0000 0010'],
  ['postalCode', 'SW1A 1AA', 'BC0D 1EF'],
  ['ssn', '078-05-1120', '000-00-0001'],
])('%s: %p becomes %p', (name, value, made) => {
  expect(shown({ [name]: value })).toEqual({ [name]: made });
});

test.each([
  ['what is no person', { name: 'Rex', category: { name: 'Dogs' }, product: { name: 'Soap' } }],
  ['places of software', { version: '1.2.3.4', host: '10.0.0.1', ip: '127.0.0.1', address: 'tcp://x' }],
  ['addresses of nobody', { email: 'ann@example.com', from: 'a@b.test' }],
  ['numbers', { phone: 12, quantity: 4539148803436467, total: 1.5 }],
  ['marks', { username: '~secret.username~', email: '~secret.email~' }],
  ['what is not told', { firstName: null, lastName: '', phone: 'none' }],
  [
    'other names',
    { filename: 'a.txt', hostname: 'db1', typename: 'Cat', skip: 'yes', ship: 'x', recipe: 'y', capacity: 'z' },
  ],
])('stays: %s', (_, body) => {
  expect(shown(body)).toEqual(body);
});

test.each(['user', 'owner', 'customer', 'assigned_reviewer'])('the name of a person is one: %s', (person) => {
  expect(shown({ [person]: { name: 'Ann Miller' } })).toEqual({ [person]: { name: 'Robin Example' } });
});

test('what stands at the path of persons is one', () => {
  expect(shown({ name: 'Ann Miller' }, undefined, '/v1/users')).toEqual({ name: 'Robin Example' });
  expect(shown([{ name: 'Ann Miller' }], undefined, '/v1/users/7')).toEqual([{ name: 'Robin Example' }]);
});

test('one value is one person in every place and every exchange, and two are two', () => {
  const anonymiser = createAnonymiser(emptyApi());
  const exchange = anonymiser.anonymise(
    clean(
      recorded(
        {
          method: 'PUT',
          target: '/users/ann_m_77?email=Ann%40shop.de&q=ann_m_77',
          headers: [
            'X-Forwarded-For',
            '93.184.216.34, 10.0.0.1',
            'From',
            'ann@shop.de',
            'Referer',
            'https://x.de/u/ann_m_77',
          ],
          body: 'email=ann%40shop.de&phone=%2B49+170+1234567',
          type: 'application/x-www-form-urlencoded',
        },
        {
          body: {
            username: 'ann_m_77',
            users: [{ name: 'Bob Ray' }, { name: 'Eve Ray' }],
            note: 'call +49 170 1234567, bob@x.de',
          },
        },
      ),
    ),
  );
  expect(exchange.request).toMatchObject({
    target: '/users/user1?email=person1%40example.com&q=user1',
    body: { text: 'email=person1%40example.com&phone=%2B49%20555%205555551' },
  });
  expect(exchange.request.headers.slice(2)).toEqual([
    ...['X-Forwarded-For', '192.0.2.1, 10.0.0.1', 'From', 'person1@example.com', 'Referer', 'https://x.de/u/user1'],
  ]);
  expect(exchange.response?.body).toMatchObject({
    text: '{"username":"user1","users":[{"name":"Robin Example"},{"name":"Kim Sample"}],"note":"call +49 555 5555551, person2@example.com"}',
  });
  expect(shown({ text: 'Eve Ray and bob@x.de', phone: '+49 (170) 1234567' }, anonymiser)).toEqual({
    text: 'Kim Sample and person2@example.com',
    phone: '+49 (555) 5555551',
  });
  expect(anonymiser.replaced()).toEqual(
    expect.arrayContaining([
      { kind: 'e-mail address', count: 2 },
      { kind: 'full name', count: 2 },
      { kind: 'phone number', count: 1 },
    ]),
  );
});

test('a made-up value is valid where the original was, and what the description lists stays', () => {
  const anonymiser = createAnonymiser(api);
  const patient = {
    ...{ name: 'Ann Miller', email: 'a.miller@clinic.de', phone: '+49 170 123456', login: 'abc12', zip: '50667' },
    ...{ birthDate: '2001-12-31', city: 'Bonn', contacts: [{ firstName: 'Bob' }, { firstName: 'Susan' }] },
  };
  const made = shown(patient, anonymiser, '/patients') as typeof patient;
  const schema = api.operationById('POST /patients')!.requestBody!.content[0]!.schema!;
  expect(schema.validate('request')(made as never)).toEqual([]);
  expect(made.city).toBe('Bonn');
  for (const name of ['name', 'email', 'phone', 'login', 'zip', 'birthDate'] as const)
    expect(made[name]).not.toBe(patient[name]);
  const asked = anonymiser.anonymise(clean(recorded({ target: '/patients/abc12' })));
  expect(asked.request.target).toBe(`/patients/${made.login}`);
});

test('what was made up is left as it is, and the same traffic becomes the same', () => {
  const body = {
    users: [{ name: 'Ann Miller', phone: '+49 170 1234567', iban: 'DE89370400440532013000', dob: '1984-02-29' }],
  };
  const first = createAnonymiser(emptyApi());
  const made = shown(body, first);
  expect(shown(made, first)).toEqual(made);
  expect(shown(made)).toEqual(made);
  expect(shown(body)).toEqual(made);
});

test('check digits are right, and different persons stay different', () => {
  const anonymiser = createAnonymiser(emptyApi());
  const digit = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.array(digit, { minLength: 11, maxLength: 18 }), (digits) => {
      const card = Array.from('0123456789')
        .map((last) => digits.join('') + last)
        .find(isCardNumber);
      fc.pre(card !== undefined && digits.length >= 11);
      const { cardNumber } = shown({ cardNumber: card }, anonymiser) as { cardNumber: string };
      expect(isCardNumber(cardNumber)).toBe(true);
      expect(cardNumber).toHaveLength(card.length);
    }),
    { numRuns: 100 },
  );
  const people = Array.from({ length: 1500 }, (_, index) => ({
    firstName: `Ann${'abcdefghij'.charAt(index % 10)}${'xyz'.repeat(index / 10 + 1).slice(0, 3 + index / 10)}`,
    email: `p${index}@shop.de`,
    phone: `+49 170 ${1000000 + index}`,
    iban: 'NL91ABNA0417164300',
  }));
  const made = shown(people, anonymiser) as typeof people;
  for (const name of ['firstName', 'email', 'phone'] as const)
    expect(new Set(made.map((each) => each[name])).size).toBe(new Set(people.map((each) => each[name])).size);
  expect(made.every(({ iban }) => isBankAccount(iban) && iban !== people[0]!.iban)).toBe(true);
});

test('JSON keeps its form, and what is no JSON its text', () => {
  const anonymiser = createAnonymiser(emptyApi());
  const body = '{ "2": 1.50,\n "1": "x",  "email" : "ann@shop.de" }';
  const exchange = anonymiser.anonymise(
    clean(recorded({ body }, { body: '<u><email>ann@shop.de</email><city>Bonn</city></u>', type: 'text/xml' })),
  );
  expect(exchange.request.body).toMatchObject({ text: '{ "2": 1.50,\n "1": "x",  "email" : "person1@example.com" }' });
  expect(exchange.response?.body).toMatchObject({
    text: '<u><email>person1@example.com</email><city>Sampleton</city></u>',
  });
});

test('a vault anonymises what it has cleaned, if it is told to', () => {
  const sent = recorded({ body: { email: 'ann@shop.de', password: 'hunter2' } });
  const vault = createSecretVault({ api: emptyApi(), anonymise: true });
  expect(vault.clean(sent).request.body).toMatchObject({
    text: '{"email":"person1@example.com","password":"~secret.password~"}',
  });
  expect(vault.anonymised()).toEqual([{ kind: 'e-mail address', count: 1 }]);
  const plain = createSecretVault({ api: emptyApi() });
  expect(plain.clean(sent).request.body).toMatchObject({ text: expect.stringContaining('ann@shop.de') });
  expect(plain.anonymised()).toEqual([]);
});
