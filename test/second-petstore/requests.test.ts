import type { Response, Test } from 'supertest';
import { addCategory, addPet, bare, expectError, send, text, UNKNOWN, useSecondPetstore } from './supertest-petstore';

useSecondPetstore();

describe('bodies', () => {
  test.each([
    ['{"name":', 'invalid_json'],
    ['{"name":"a","name":"b"}', 'invalid_json'],
    ['{"name":"a"} b', 'invalid_json'],
    [`{"name":"a","x":${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid_json'],
    ['[]', 'invalid_field'],
    ['{}', 'missing_field'],
    ['{"name":"\u2003\u0085"}', 'invalid_field'],
    ['{"name":"a","description":null}', 'invalid_field'],
    [`{"name":"${'n'.repeat(51)}"}`, 'invalid_field'],
  ])('%s is refused', async (body, code) => {
    expectError(await text('/categories', body), 400, code);
  });

  test('absent, unlabelled, too large, encoded', async () => {
    expectError(await send('post', '/categories'), 400, 'missing_body');
    expectError(await text('/categories', '{"name":"a"}', 'text/plain'), 400, 'missing_content_type');
    expectError(
      await text('/categories', '{"name":"a"}', 'application/json;charset=latin1'),
      400,
      'missing_content_type',
    );
    expectError(await text('/categories', JSON.stringify({ name: 'n'.repeat(2 ** 20) })), 413, 'body_too_large');
    const encoded = text('/categories', '{"name":"a"}').set('Content-Encoding', 'zip');
    expectError(await encoded, 415, 'unsupported_content_encoding');
  });

  test('1.0 is an integer, 1.5 and numbers beyond int64 are not', async () => {
    await text('/store/orders', '{"quantity":1.0}').expect(201, /"quantity":1[,}]/);
    expectError(await text('/store/orders', '{"quantity":1.5}'), 400, 'invalid_field');
    expectError(await text('/store/orders', '{"petId":9223372036854775808}'), 400, 'invalid_field');
  });

  test.each(['2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '2026-01-01'])('%s is no ship date', async (shipDate) => {
    expectError(await send('post', '/store/orders', { shipDate }), 400, 'invalid_field');
  });
});

describe('keys, addresses, methods', () => {
  test.each([
    [undefined, 'missing_api_key'],
    ['Bearer', 'malformed_authorization'],
    ['Basic dXNlcjpwYXNz', 'malformed_authorization'],
    ['Bearer nobody', 'invalid_api_key'],
  ])('%s is refused', async (value, code) => {
    const answer = await (value === undefined
      ? bare('get', '/pets')
      : bare('get', '/pets').set('Authorization', value));
    expectError(answer, 401, code);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="petstore"/);
  });

  test('a lower-case scheme is let in', async () => {
    await bare('get', '/pets').set('Authorization', 'bearer test-key').expect(200);
  });

  test('no such path comes before the key, the key before everything else', async () => {
    expectError(await bare('get', '/nothing'), 404, 'route_not_found');
    expectError(await bare('get', '/pets/'), 404, 'route_not_found');
    expectError(await bare('delete', `/pets/${UNKNOWN}`), 401, 'missing_api_key');
    expectError(await bare('post', '/pets').send('{'), 401, 'missing_api_key');
  });

  test.each(['0', '-1', 'abc', '1.0', '01', '9223372036854775808', '%00', '%zz'])('%s is no id', async (id) => {
    expectError(await send('get', `/pets/${id}`), 400, 'invalid_parameter');
  });

  test('405, HEAD, OPTIONS, 406', async () => {
    const refused = await bare('patch', '/pets');
    expectError(refused, 405, 'method_not_allowed');
    expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
    const head = await send('head', '/pets').expect(200);
    expect(head.headers).toMatchObject({ 'content-length': '2', 'x-total-count': '0' });
    expect((await bare('options', '/pets').expect(204)).headers['allow']).toBe('GET, HEAD, OPTIONS, POST');
    expectError(await send('get', '/pets').set('Accept', 'text/html'), 406, 'not_acceptable');
    await send('get', '/pets').set('Accept', 'text/html, */*;q=0.1').expect(200);
  });
});

describe('lists', () => {
  const follow = (answer: Response, rel: string): string | undefined =>
    new RegExp(`<http://[^/]*([^>]*)>; rel="${rel}"`).exec(answer.headers['link']!)?.[1];

  test('pages hold everything once, there and back', async () => {
    for (const name of ['b', 'a', 'c', 'a', '𝒳', '\uffee']) await send('post', '/categories', { name });
    const names: string[] = [];
    let path: string | undefined = '/categories?sort=name&limit=2';
    let last: Response | undefined;
    while (path !== undefined) {
      last = await send('get', path).expect(200).expect('X-Total-Count', '6');
      names.push(...(last.body as { name: string }[]).map(({ name }) => name));
      path = follow(last, 'next');
    }
    expect(names).toEqual(['a', 'a', 'b', 'c', '\uffee', '𝒳']);
    const back = await send('get', follow(last!, 'prev')!);
    expect((back.body as { name: string }[]).map(({ name }) => name)).toEqual(['b', 'c']);
    expectError(await send('get', follow(back, 'next')!.replace('/categories', '/pets')), 400, 'invalid_cursor');
  });

  test('filters', async () => {
    const { id, categoryId } = await addPet();
    const other = await addPet({ status: 'sold', name: 'Ada' });
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await send('get', `/pets?${query}`).expect(200);
      return (body as { id: number }[]).map((pet) => pet.id);
    };
    expect(await ids('status=sold&status=pending')).toEqual([other.id]);
    expect(await ids(`categoryId=${categoryId}`)).toEqual([id]);
    expect(await ids('name=Ada&colour=red')).toEqual([other.id]);
    expect(await ids(`id=${id}%2C${other.id},77`)).toEqual([id, other.id]);
    expect(await ids('sort=-name')).toEqual([id, other.id]);
  });

  test('orders without a date come last', async () => {
    for (const shipDate of [undefined, '2026-01-02T00:00:00Z', '2026-01-02T00:30:00+01:00']) {
      await send('post', '/store/orders', { shipDate });
    }
    const { body } = await send('get', '/store/orders?sort=shipDate');
    const dates = (body as { shipDate?: string }[]).map(({ shipDate }) => shipDate);
    expect(dates).toEqual(['2026-01-02T00:30:00+01:00', '2026-01-02T00:00:00Z', undefined]);
  });

  test.each(['limit=0', 'limit=101', 'limit=a', 'limit=1&limit=2', 'sort=age', 'status=Sold', 'id=', 'name=%zz'])(
    '%s is refused',
    async (query) => {
      expectError(await send('get', `/pets?${query}`), 400, 'invalid_parameter');
    },
  );
});

describe('conditional requests, retries, preferences', () => {
  test('If-None-Match and If-Match', async () => {
    const path = `/categories/${await addCategory()}`;
    const { etag = '' } = (await send('get', path)).headers;
    await send('get', path).set('If-None-Match', `"x", W/${etag}`).expect(304, '');
    await send('get', path).set('If-None-Match', 'junk').expect(200);
    expectError(await send('put', path, { name: 'x' }).set('If-Match', `W/${etag}`), 412, 'precondition_failed');
    await send('put', path, { name: 'x' }).set('If-Match', `"x", ${etag}`).expect(200);
    expectError(await send('delete', path).set('If-Match', etag), 412, 'precondition_failed');
    await send('delete', path).set('If-Match', '*').expect(204);
  });

  test('Idempotency-Key', async () => {
    const retry = (body: object): Test => send('post', '/categories', body).set('Idempotency-Key', 'k');
    expectError(await retry({ name: '' }), 400, 'invalid_field');
    const first = await retry({ name: 'a', description: 'b' }).expect(201);
    await retry({ description: 'b', name: 'a' }).expect(201, first.body);
    expectError(await retry({ name: 'c' }), 422, 'idempotency_key_reused');
    await send('get', '/categories').expect('X-Total-Count', '1');
    const long = send('post', '/categories', { name: 'a' }).set('Idempotency-Key', 'k'.repeat(256));
    expectError(await long, 400, 'invalid_parameter');
  });

  test('Prefer', async () => {
    const small = await send('post', '/categories', { name: 'a' }).set('Prefer', 'return=minimal').expect(201, '');
    expect(small.headers).toMatchObject({ 'preference-applied': 'return=minimal', location: expect.any(String) });
    const path = new URL(small.headers['location']!).pathname;
    await send('put', path, { name: 'b' }).set('Prefer', 'return=minimal').expect(204, '');
    const strict = { Prefer: 'handling=strict' };
    expectError(await send('post', '/categories', { name: 'a', id: 1 }).set(strict), 400, 'invalid_field');
    expectError(await send('get', '/categories?colour=red').set(strict), 400, 'invalid_parameter');
  });
});
