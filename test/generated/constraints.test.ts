import { loadApi } from '../../src/files/load-api';
import { complaintsOf } from '../../src/generated/complaints';
import { remediesOf } from '../../src/generated/constraint-words';
import { MemberNames } from '../../src/generated/member-names';
import { RUN_ID } from '../../src/generated/run-text';
import { samplerOf } from '../../src/payload/sampler/sampler';
import { requestSchema } from '../../src/openapi/view/operation-bodies';
import type { JsonObject, JsonValue } from '../../src/core/json/json-value';
import { list, object, smallApi, text, whole } from '../support/small-api';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const lines = list(object({ unitPrice: whole }));
const body = object({ label: text, first_name: text, depth: whole, lines, place: object({ city: text }) });
const { api } = loadApi(folder.write('notes.json', smallApi({ 'POST /notes': { body } })));
const schema = requestSchema(api.operations[0] as (typeof api.operations)[number]);
if (schema === undefined) throw new Error('The operation has a body');
const names = new MemberNames(samplerOf(api).nodeOf(schema, 'request'));
const SENT: JsonObject = { label: 'Amber river', first_name: 'Ada', depth: 3, place: { city: 'Lumen' } };

test.each<[how: string, answer: JsonValue, path: string | undefined]>([
  ['a pointer of RFC 9457', { title: 'No', errors: [{ detail: 'is too deep', pointer: '#/depth' }] }, 'depth'],
  ['invalid-params of RFC 7807', { 'invalid-params': [{ name: 'depth', reason: 'too deep' }] }, 'depth'],
  ['loc', { detail: [{ loc: ['body', 'place', 'city'], msg: 'Field required' }] }, 'place.city'],
  ['loc of a query, which is no property', { detail: [{ loc: ['query', 'page'], msg: 'Field required' }] }, undefined],
  ['messages by property', { errors: { first_name: ["can't be blank"] } }, 'first_name'],
  [
    'messages by property, in other letters',
    { errors: { FirstName: ['The FirstName field is required.'] } },
    'first_name',
  ],
  ['messages by property alone', { depth: ['A valid integer is required.'] }, 'depth'],
  ['source of JSON:API', { errors: [{ source: { pointer: '/data/attributes/label' }, detail: 'bad' }] }, 'label'],
  ['a path with an index', { errors: [{ field: 'lines[0].unitPrice', message: 'bad' }] }, 'lines.unitPrice'],
  [
    'the missing property of a validator',
    { errors: [{ instancePath: '', params: { missingProperty: 'label' }, message: 'must have' }] },
    'label',
  ],
  ['a quoted name', { error: "Key 'label' not present or not a String" }, 'label'],
  ['the value that was sent', { error: "DNS Name 'Amber river' is not canonical" }, 'label'],
  ['a name in words', 'The first name is too short', 'first_name'],
  ['the name of nothing', { message: 'Validation failed' }, undefined],
  ['a hidden property', { error: "missing field 'origin'" }, 'origin'],
])('%s says what is meant', (_, answer, path) => {
  expect(complaintsOf(answer, SENT, names)[0]?.path?.join('.')).toBe(path);
});

/** What becomes of a value by the first thing that a sentence asks for. */
function become(sentence: string, value: JsonValue): JsonValue | undefined {
  const [remedy] = remediesOf(sentence);
  return remedy?.change(value, { chance: 7, own: RUN_ID, sample: () => value });
}

test.each<[sentence: string, value: JsonValue, right: RegExp | JsonValue]>([
  ['must be one of red, green or blue', 'x', 'red'],
  ["must be one of 'red', 'green'", 'x', 'red'],
  ['Invalid enum value. Expected RED | GREEN', 'x', 'RED'],
  ['must end with a slash', 'x', 'x/'],
  ["must end with '.json'", 'x', 'x.json'],
  ['must start with "/"', 'x', '/x'],
  ['must be at least 5', 3, 5],
  ['must be greater than 5', 3, 6],
  ['must be less than or equal to 5', 9, 5],
  ['must be less than 5', 9, 4],
  ['must be between 10 and 20', 3, 10],
  ['is too short (minimum is 12 characters)', 'x', /^x.{11,}$/],
  ['must be at most 4 characters long', 'something', /^.{1,4}$/],
  ['must be a valid e-mail address', 'Ada', /^ada@example\.com$/],
  ['is not a valid URL', 'Ada', /^https:\/\/example\.com\/ada$/],
  ['must be a valid UUID', 'x', /^[\da-f]{8}-/],
  ['is not a valid IPv4 address', 'x', /^192\.0\.2\.\d+$/],
  ['must be a fully qualified domain name', 'Ada', /^ada\.example\.$/],
  ['must be in the future', '2020-01-01', /^2099-/],
  ['must match /^[A-Z]{3}-\\d{2}$/', 'x', /^[A-Z]{3}-\d{2}$/],
  ['must match /^(a+)+$/', 'x', null],
  ['contains unsupported characters', 'Zoë Ж', /^[a-z0-9-]+$/],
  ['has already been taken', 'amber', new RegExp(RUN_ID)],
  ['is not allowed here: unexpected property', 'x', null],
])('%s', (sentence, value, right) => {
  const found = become(sentence, value) ?? null;
  if (right instanceof RegExp) expect(found).toMatch(right);
  else expect(found).toEqual(right);
});
