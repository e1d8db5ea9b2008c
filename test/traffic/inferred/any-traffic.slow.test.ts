import fc from 'fast-check';
import { inferResourceModel } from '../../../src/resources/infer-resource-model';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { exchange } from '../recorded';
import { misfits } from './fits';
import { findLints } from './lints';

describe('descriptions from traffic of any kind', () => {
  const scalar = fc.oneof(
    fc.constantFrom<unknown>(
      'a',
      'b',
      '',
      null,
      true,
      0,
      -1,
      2.5,
      1e300,
      '2024-01-01',
      '~secret.a~',
      'ann@example.com',
    ),
    fc.string({ maxLength: 5 }),
    fc.uuid(),
  );
  const name = fc.constantFrom('id', 'name', 'tags', 'items', 'data', 'owner', 'pet', '17', 'a b', '$ref', 'type');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    ),
  }));
  const segment = fc.constantFrom(
    'pets',
    'pet',
    '1',
    '2',
    'search',
    'owner',
    'api',
    'v1',
    'me',
    'a%20b',
    'x.json',
    '5:run',
    '{a}',
    '',
  );
  const any = fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
      path: fc.array(segment, { minLength: 1, maxLength: 4 }),
      query: fc.array(fc.constantFrom('a=1', 'a=x', 'b=', 'c[d]=2', 'page=1', 'a=2&a=3', 'b', 'key=~secret.k~'), {
        maxLength: 3,
      }),
      sent: fc.option(value, { nil: undefined }),
      status: fc.constantFrom(200, 201, 204, 303, 400, 401, 404, 500),
      answered: fc.option(value, { nil: undefined }),
      headers: fc.constantFrom({}, { Authorization: 'Bearer ~secret.t~' }, { 'X-Mode': 'fast' }, { 'If-Match': '"1"' }),
    })
    .map(({ method, path, query, headers, sent, status, answered }) => {
      const target = `/${path.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`;
      const isJson = { 'Content-Type': 'application/json' };
      const text = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));
      return exchange(`${method} ${target}`, {
        headers: sent === undefined ? headers : { ...headers, ...isJson },
        sent: text(sent),
        status,
        answered: method === 'HEAD' ? undefined : text(answered),
        responseHeaders: isJson,
      });
    });

  it('are valid, and fit every response that was recorded and every request that was accepted', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 8 }), (exchanges) => {
        const { api, findings } = findLints(inferDescription(exchanges, { title: 'api.example' }));
        expect(findings).toEqual([]);
        expect(misfits(api, exchanges)).toEqual([]);
        inferResourceModel(api);
      }),
      { numRuns: 150 },
    );
  });
});
