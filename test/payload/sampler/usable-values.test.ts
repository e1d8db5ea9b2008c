import { isIPv4 } from 'node:net';
import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';
import { samplerOf } from '../../../src/payload/sampler/sampler';

/** Five generated items of an object schema with these properties. */
function items(properties: Record<string, object>): Record<string, unknown>[] {
  const schema = { type: 'object', properties };
  const document = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: {},
    components: { schemas: { Root: schema } },
  };
  const api = buildModel(readSource(JSON.stringify(document), 'values.json'));
  const root = api.schemaAt('/components/schemas/Root')!;
  return [0, 1, 2, 3, 4].map((ordinal) => {
    const sample = samplerOf(api).sample(root, { seed: 'test', direction: 'response', ordinal });
    if (sample.kind === 'failed') throw new Error(sample.reason);
    return sample.value as Record<string, unknown>;
  });
}

const valuesOf = (name: string, schema: object): unknown[] => items({ [name]: schema }).map((item) => item[name]);
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));

const TIME = /^2025-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const IP = /^192\.0\.2\.\d+$/;
const HOST = /^[a-z]+\.example\.com$/;

test.each([
  ['createdOn', TIME],
  ['published_on', TIME],
  ['created', TIME],
  ['lastModified', TIME],
  ['last_seen', TIME],
  ['basedOn', /^[a-z]+$/],
  ['ipAddress', IP],
  ['clientIp', IP],
  ['remote_ip', IP],
  ['internalIP', IP],
  ['nodeIp', IP],
  ['floating_ip', IP],
  ['ownership', /^[a-z]+$/],
  ['commandLine', /^[a-z]+$/],
  ['extraPhone2', /^\+1 202 555 01/],
  ['userId', /^[0-9a-f]{12}$/],
  ['shortDescription', /^[A-Z].* .*\.$/],
  ['billing_country', /^[A-Z][a-z]+$/],
  ['createdBy', /^[A-Z][a-z]+ [A-Z][a-z]+$/],
  ['dayOfWeek', /^[A-Z][a-z]+day$/],
  ['bodyHtml', /^<p>.*<\/p>$/],
  ['ipv6', /^2001:db8::/],
  ['macAddress', /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/],
  ['domainName', HOST],
  ['hostName', HOST],
  ['port', /^\d{4}$/],
  ['latitude', /^-?\d+(?:\.\d+)?$/],
  ['percentage', /^\d{1,3}$/],
  ['PhoneCountryCode', /^\+\d{1,3}$/],
  ['billingCountryCode', /^[A-Z]{2}$/],
  ['defaultCurrency', /^[A-Z]{3}$/],
  ['userLocale', /^[a-z]{2}-[A-Z]{2}$/],
  ['receiverUri', /^https:\/\//],
  ['apiVersion', /^\d+\.\d+\.\d+$/],
  ['duration', /^P/],
  ['iban', /^[A-Z]{2}\d{2}[A-Z0-9]+$/],
  ['fileSha256', /^[0-9a-f]{64}$/],
  ['md5', /^[0-9a-f]{32}$/],
  ['token_type', /^Bearer$/],
])('a text named %s has the form that programs expect', (name, form) => {
  for (const value of valuesOf(name, { type: 'string' })) expect(value).toMatch(form);
});

test.each([
  ['The IP address of the agent.', IP],
  ['URL of the page', /^https:\/\//],
  ['A day, as YYYY-MM-DD', /^\d{4}-\d\d-\d\d$/],
  ['Written as in RFC 3339', TIME],
  ['An ISO 8601 duration', /^P/],
  ['The URL path', /^[a-z]+$/],
])('a text described as "%s" has that form', (description, form) => {
  for (const value of valuesOf('foo', { type: 'string', description })) expect(value).toMatch(form);
});

describe('an expiry time', () => {
  test.each(['expires', 'expires_at', 'expiresOn', 'expiry_time', 'expirationDate', 'expireAt', 'validUntil'])(
    'named %s lies in the future, in each form',
    (name) => {
      for (const format of ['date-time', 'date', undefined]) {
        for (const value of valuesOf(name, { type: 'string', format })) expect(value).toMatch(/^2036-/);
      }
      for (const value of valuesOf(name, { type: 'integer' })) expect(value).toBeGreaterThan(Date.UTC(2036) / 1000 - 1);
    },
  );

  test('comes after all other times, and the flag agrees with it', () => {
    const time = { type: 'string', format: 'date-time' };
    const made = items({ expires_at: time, deleted_at: time, created_at: time, expired: { type: 'boolean' } });
    for (const item of made) {
      expect(item).toMatchObject({ expired: false, expires_at: expect.stringMatching(/^2036/) });
      expect(item['deleted_at']).toMatch(/^2025/);
      expect(String(item['created_at']) <= String(item['deleted_at'])).toBe(true);
    }
  });

  test('of something whose status says that it has expired lies in the past', () => {
    const status = { type: 'string', enum: ['expired'] };
    for (const item of items({ status, expires_at: { type: 'string', format: 'date-time' } }))
      expect(item['expires_at']).toMatch(TIME);
  });

  test('in the form of its example lies in the future, too', () => {
    for (const value of valuesOf('expiry', { type: 'string', example: '2020-01-31 10:00' }))
      expect(value).toMatch(/^2036-\d\d-\d\d \d\d:\d\d$/);
  });
});

describe('an example', () => {
  test.each([
    ['2021-03-04T10:20:30.123Z', /^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/],
    ['2021-03-04 10:20:30+02:00', /^2025-\d\d-\d\d \d\d:\d\d:\d\d\+02:00$/],
    ['2021-03-04', /^2025-\d\d-\d\d$/],
  ])('that is the time %s gives real times of the same form', (example, form) => {
    const made = valuesOf('foo', { type: 'string', example });
    for (const value of made) {
      expect(value).toMatch(form);
      expect(isTime(String(value))).toBe(true);
    }
    expect(new Set(made).size).toBeGreaterThan(1);
  });

  test('that is an IP address gives addresses of the same network', () => {
    for (const value of valuesOf('Addr', { type: 'string', example: '172.15.0.6' }))
      expect(value).toMatch(/^172\.15\.0\.\d+$/);
  });

  test('that is a URL keeps its host and port', () => {
    for (const value of valuesOf('documentation', { type: 'string', example: 'https://docs.test:8080/v1/pages/12' }))
      expect(value).toMatch(/^https:\/\/docs\.test:8080\/v1\/pages\/\d\d$/);
  });

  test.each([
    ['type', 'card'],
    ['kind', 'books#volume'],
    ['object', 'customer'],
    ['category', 'electronics'],
    ['currency', 'eur'],
    ['plan', 'plan-2-large'],
    ['theme', '#a0b1c2'],
    ['runtime', 'v1.20'],
    ['release', '1.20.3'],
    ['account', 'DE89370400440532013000'],
    ['period', 'PT1H30M'],
  ])('of %s is literal: %s', (name, example) => {
    expect(new Set(valuesOf(name, { type: 'string', example }))).toEqual(new Set([example]));
  });

  test('of a name or a number shows the style, and differs', () => {
    expect(new Set(valuesOf('name', { type: 'string', example: 'Fluffy' })).size).toBeGreaterThan(1);
    for (const value of valuesOf('number', { type: 'string', example: 'KX-1734' })) expect(value).toMatch(/^KX-\d{4}$/);
  });
});

test.each([
  ["A string with value 'ref'", 'ref'],
  ['This is always `refund`.', 'refund'],
  ['always `refund`', 'refund'],
  ['Always the string "list".', 'list'],
  ['Object type, always "message"', 'message'],
  ['The value is always set to `a.b`', 'a.b'],
])('the description "%s" makes the text a literal', (description, literal) => {
  for (const value of valuesOf('foo', { type: 'string', description })) expect(value).toBe(literal);
});

test.each(['Always `a` or `b`', 'Always `a` if the item is new', 'Always `null`', 'The default value is `a`'])(
  'the description "%s" makes no literal',
  (description) => {
    for (const value of valuesOf('foo', { type: 'string', description })) expect(value).toMatch(/^[a-z]{4,}$/);
  },
);

test.each([
  ['^\\d{4}-\\d{2}-\\d{2}$', isTime],
  ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$', isTime],
  ['^\\d{2}:\\d{2}$', (text: string) => isTime(`2025-01-01T${text}:00Z`)],
  ['^\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$', (text: string) => isIPv4(text)],
])('a pattern of digits gives real values: %s', (pattern, isReal) => {
  for (const value of valuesOf('foo', { type: 'string', pattern })) expect(isReal(String(value))).toBe(true);
});

test.each(['id', 'listId', 'parent_id'])('a number that identifies something is a whole one: %s', (name) => {
  for (const value of valuesOf(name, { type: 'number' })) expect(value).toEqual(expect.any(Number));
  expect(valuesOf(name, { type: 'number' }).every(Number.isInteger)).toBe(true);
});

test.each([
  ['author', 'authorEmail'],
  ['reporter_name', 'reporter_email'],
  ['customerName', 'customer_mail'],
  ['fullName', 'email'],
])('who is named and the e-mail address beside it are of one person: %s and %s', (name, email) => {
  const text = { type: 'string' };
  for (const item of items({ [name]: text, subject: text, [email]: text })) {
    const [first, last] = String(item[name]).split(' ');
    expect(item[email]).toBe(`${first}.${last}@example.com`.toLowerCase());
  }
});

describe('what descriptions say in words', () => {
  test.each([
    [{ type: 'string', description: 'One of: disabled, members or public' }, /^(?:disabled|members|public)$/],
    [{ type: 'string', description: 'Format like e.g. `28680133`' }, /^\d{8}$/],
    [{ type: 'string', description: 'Phone number of the reported person' }, /^\+1 202 555 01\d\d$/],
    [{ type: 'string', description: 'A number in E.164 format' }, /^\+120255501\d\d$/],
    [{ type: 'string', description: 'When the comment was made, a Unix timestamp' }, /^17\d{8}$/],
    [{ type: 'integer', format: 'int64', description: 'UNIX timestamp (seconds since 1-Jan-1970)' }, /^17\d{8}$/],
    [{ type: 'integer', format: 'int64', description: 'The Unix epoch timestamp, in milliseconds' }, /^17\d{8}000$/],
  ])('%j', (schema, form) => {
    const values = valuesOf('told', schema);
    expect(values.map(String)).toEqual(values.map(() => expect.stringMatching(form)));
    expect(new Set(values).size).toBeGreaterThan(1);
  });

  test('the words of a list are those of its items', () => {
    const schema = { type: 'array', items: { type: 'string' }, description: 'To retry. Available values: HOME, WORK' };
    for (const list of valuesOf('places', schema))
      expect(['HOME', 'WORK']).toEqual(expect.arrayContaining(list as string[]));
  });

  test('times are in milliseconds where the words, the name, the format or the example say so', () => {
    const number = { type: 'integer', format: 'int64' };
    const [first] = items({
      created: { ...number, description: 'Formatted in unix time milliseconds' },
      createdAt: { ...number, example: 1473781817000 },
      updated: { ...number, description: 'Time of the last change, in milliseconds' },
      modified: { ...number, description: 'Time of the last change' },
      timeout: { ...number, description: 'How long to wait, in milliseconds' },
    });
    for (const name of ['created', 'createdAt', 'updated']) expect(String(first![name])).toMatch(/^17\d{11}$/);
    expect(String(first!['modified'])).toMatch(/^17\d{8}$/);
    expect(first!['timeout']).toBeLessThan(1e9);
  });
});

test.each([
  ['beginHour', 23],
  ['endMinute', 59],
  ['dayOfMonth', 28],
  ['expiryMonth', 12],
  ['dayOfWeek', 5],
])('the number %s stays within its kind', (name, most) => {
  for (const value of valuesOf(name, { type: 'integer' })) expect(value).toBeLessThanOrEqual(most);
});

// The engine of Node would try these patterns at a text that does not match for longer than anybody waits.
test.each([
  ['logo', String.raw`^(https?:\/\/)?([\da-z\.-]+)\.([a-z\.]{2,6})([\/\w \.-]*)*\/?$`],
  ['description', '^([A-Za-z]+\\s?)+$'],
  ['website', '^(([a-z:/.])+.?)+[A-Z]{2}$'],
])('%s with a pattern that keeps a regular expression busy is made all the same', (name, pattern) => {
  for (const value of valuesOf(name, { type: 'string', pattern })) expect(value).toEqual(expect.any(String));
});
