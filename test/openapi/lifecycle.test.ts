import type { SchemaObject } from '../../src/schema/schema-object';
import { lifecycleDateKeys, parseDate, readLifecycle } from '../../src/openapi/model/lifecycle';

const SETTLED = {
  stability: 'stable',
  deprecated: false,
  deprecatedSince: undefined,
  sunset: undefined,
  replacedBy: undefined,
  tryIt: true,
};

const MS = Date.UTC(2030, 11, 5);

describe('readLifecycle', () => {
  it('takes an operation without marks for settled', () => {
    expect(readLifecycle({})).toStrictEqual(SETTLED);
  });

  test.each<[SchemaObject, string]>([
    [{ 'x-stability': 'experimental' }, 'experimental'],
    [{ 'x-stability': 'alpha' }, 'alpha'],
    [{ 'x-stability': 'beta' }, 'beta'],
    [{ 'x-stability': 'Beta' }, 'beta'],
    [{ 'x-stability': 'stable' }, 'stable'],
    [{ 'x-stability': 'no such word' }, 'stable'],
    [{ 'x-stability': 7 }, 'stable'],
    [{ 'x-stability-level': 'draft' }, 'experimental'],
    [{ 'x-snyk-api-stability': 'wip' }, 'experimental'],
    [{ 'x-snyk-api-stability': 'ga' }, 'stable'],
    [{ 'x-scalar-stability': 'experimental' }, 'experimental'],
    [{ 'x-fern-availability': 'in-development' }, 'experimental'],
    [{ 'x-fern-availability': 'pre-release' }, 'beta'],
    [{ 'x-fern-availability': 'generally-available' }, 'stable'],
    [{ 'x-stability-level': 'alpha', 'x-stability': 'beta' }, 'beta'],
  ])('reads the stability of %j as %s', (operation, stability) => {
    expect(readLifecycle(operation)).toStrictEqual({ ...SETTLED, stability });
  });

  test.each<[SchemaObject, number | undefined]>([
    [{ 'x-deprecated-sunset': '2030-12-05' }, MS],
    [{ 'x-sunset': '2030-12-05' }, MS],
    [{ 'x-sunset-date': '2030-12-05T00:00:00Z' }, MS],
    [{ 'x-sunset-date': '2030-12-05T02:00:00+02:00' }, MS],
    [{ 'x-ms-deprecation': { removalDate: '2030-12-05' } }, MS],
    [{ 'x-sunset': '2031-01-01', 'x-deprecated-sunset': '2030-12-05' }, MS],
    [{ 'x-sunset': 'soon' }, undefined],
    [{ 'x-sunset': 20301205 }, undefined],
  ])('reads the sunset of %j as %s', (operation, sunset) => {
    expect(readLifecycle(operation).sunset).toBe(sunset);
  });

  test.each<[SchemaObject, number | undefined]>([
    [{ 'x-deprecated-since': '2030-12-05' }, MS],
    [{ 'x-deprecated-at': '2030-12-05' }, MS],
    [{ 'x-ms-deprecation': { date: '2030-12-05' } }, MS],
    [{ deprecated: true }, undefined],
  ])('reads the deprecation date of %j as %s', (operation, since) => {
    expect(readLifecycle(operation).deprecatedSince).toBe(since);
  });

  test.each<[SchemaObject, boolean]>([
    [{}, true],
    [{ 'x-hideTryItPanel': true }, false],
    [{ 'x-hideTryItPanel': false }, true],
    [{ 'x-hideReplay': true }, false],
    [{ 'x-explorer-enabled': false }, false],
    [{ 'x-explorer-enabled': true }, true],
    [{ 'x-zudoku-playground-enabled': false }, false],
    [{ 'x-fern-explorer': false }, false],
  ])('offers to try %j: %s', (operation, tryIt) => {
    expect(readLifecycle(operation).tryIt).toBe(tryIt);
  });

  test('deprecated is the word of OpenAPI itself', () => {
    expect(readLifecycle({ deprecated: true }).deprecated).toBe(true);
    expect(readLifecycle({ deprecated: 'yes' }).deprecated).toBe(false);
    expect(readLifecycle({ 'x-replaced-by': '/books' }).replacedBy).toBe('/books');
  });
});

describe('parseDate', () => {
  test.each([
    ['2030-12-05', MS],
    ['2030-12-05T00:00:00Z', MS],
    ['2030-12-05T00:00:00.5Z', MS + 500],
    ['2030-12-04T19:00:00-05:00', MS],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['0001-01-01', new Date(0).setUTCFullYear(1, 0, 1)],
  ])('%s is %d', (text, ms) => {
    expect(parseDate(text)).toBe(ms);
  });

  test.each([
    '2030-02-30',
    '2029-02-29',
    '2030-02-30T00:00:00Z',
    '2030-13-01',
    '2030-12-05T24:00:00Z',
    '2030-12-05T00:00:00',
    '2030-12-05 00:00:00Z',
    '2030-12-5',
    '05.12.2030',
    '2030',
    '',
    20301205,
    null,
    undefined,
  ])('%p is no date', (value) => {
    expect(parseDate(value)).toBeUndefined();
  });
});

test('lifecycleDateKeys names the keys that give the dates', () => {
  expect(lifecycleDateKeys({})).toStrictEqual({ since: undefined, sunset: undefined });
  expect(lifecycleDateKeys({ 'x-sunset': 'x', 'x-deprecated-at': 'y' })).toStrictEqual({
    since: 'x-deprecated-at',
    sunset: 'x-sunset',
  });
});
