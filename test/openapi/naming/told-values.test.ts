import { toldValues } from '../../../src/openapi/naming/told-values';

const words = (description: string): readonly string[] => toldValues({ type: 'string', description }).words;
const examples = (description: string, type = 'string'): readonly unknown[] =>
  toldValues({ type, description }).examples;

describe('values that a description tells', () => {
  test.each([
    [
      'Types to retry. Available values: FIRST_NUMBER, HOME_PHONE or WORK_PHONE',
      ['FIRST_NUMBER', 'HOME_PHONE', 'WORK_PHONE'],
    ],
    ['One of: disabled, members, observers, org or public', ['disabled', 'members', 'observers', 'org', 'public']],
    ["The state. One of : ['pending', 'done', 'not_fulfillable']", ['pending', 'done', 'not_fulfillable']],
    ['The model. You can select one of `ada`, `babbage`, or `davinci`.', ['ada', 'babbage', 'davinci']],
    ['Can be `open` or `closed`.', ['open', 'closed']],
    ['Result of a call (LA, AM, NO_ANS). See the list.', ['LA', 'AM', 'NO_ANS']],
    ['Sent as either "weekly" or "monthly", as the plan says', ['weekly', 'monthly']],
  ])('"%s" lists all values', (description, expected) => {
    expect(words(description)).toEqual(expected);
  });

  test.each([
    'A link that can be used in a browser to join the session',
    'This will be one of your Virtual Numbers or your senderName.',
    'Can be overwritten by hostname_alias',
    "Valid types are (but not limited to) 'PowerCalibration'",
    'Possible values: see the list of codes below',
    'The value must be set to `true` before it is sent',
    'One of: a note of yours, a title that others see, or nothing',
    'The number of items (ID, SKU and more)',
    'If the attachment type is `rich` or `video`, the HTML code of it',
    'at least one of `ingress_ids` or `egress_ids` should be specified',
    'The name. Specify either `orgID` or `org`.',
    "Can be 'daily', 'weekly or 'never'",
    'When a certificate of deposit (CD/FD) matures',
  ])('"%s" lists none', (description) => {
    expect(words(description)).toEqual([]);
  });

  test.each([
    ['Base system image. E.g. java-20181030, node-20180912…', ['java-20181030']],
    ['The carrier, such as `fedex`, `dhl_express`, `stamps_com`, etc. ', ['fedex', 'dhl_express', 'stamps_com']],
    ["The ISO 4217 currency code (e.g. 'USD')", ['USD']],
    ['A single number in E.164 format (11-digit). Example: 12132000384', ['12132000384']],
    ["An error, e.g. 'A field isn't supplied' or others", ["A field isn't supplied"]],
    ['The code of the currency, such as "EUR."', ['EUR']],
    ['Issue date (e.g. 2008-12-31) . Used in some cases', ['2008-12-31']],
  ])('"%s" shows examples', (description, expected) => {
    expect(examples(description)).toEqual(expected);
  });

  test.each([
    'Used by others, e.g. when the user is deleted',
    'The locality, such as a district or suburb, if any.',
    'IDs of files. For example, the original and processed files',
    "The number MUST NOT be prefixed by, e.g., 'v'",
    'The telegram. Example: 68 1F 1F 68 08',
  ])('"%s" shows none', (description) => {
    expect(examples(description)).toEqual([]);
  });

  test('numbers are shown as numbers, and words only of texts', () => {
    expect(examples('Time in milliseconds. Example: 1473781817000 for a Saturday', 'integer')).toEqual([1473781817000]);
    expect(examples('A level, e.g. `high`', 'integer')).toEqual([]);
    expect(toldValues({ type: 'integer', description: 'One of: a, b' }).words).toEqual([]);
  });

  test('keywords say more than words', () => {
    const description = 'One of: a, b. E.g. `a`';
    expect(toldValues({ type: 'string', enum: ['x'], description })).toEqual({ words: [], examples: [] });
    expect(toldValues({ type: 'string', example: 'b', description }).examples).toEqual([]);
    expect(toldValues({ type: 'string', format: 'uuid', description }).words).toEqual([]);
  });
});
