import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { exchange } from '../recorded';

function pathsOf(...exchanges: readonly CleanExchange[]): string[] {
  return Object.keys(inferDescription(exchanges, { title: 'api.example' })['paths'] as object);
}

const pet = (id: unknown, more: object = {}): object => ({ id, name: `Pet ${String(id)}`, ...more });

describe('paths from traffic', () => {
  it.each([
    ['a number', '12'],
    ['a UUID', '8c5a6f0e-3a44-4c6b-9d3b-0a7e1d2f3b4c'],
    ['a ULID', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ['an object id', '507f1f77bcf86cd799439011'],
    ['a prefixed id', 'cus_9s6XKzkNRiz8i3'],
    ['a numbered name', 'ORD-2024-0001'],
    ['an address of e-mail', 'ann%40example.com'],
    ['a secret', '~secret.token~'],
    ['a text with a space', 'New%20York'],
  ])('takes %s for a key by its look', (_, key) => {
    expect(pathsOf(exchange(`GET /pets/${key}`, { answered: { name: 'Rex' } }))).toEqual(['/pets/{petId}']);
  });

  it.each(['search', 'findByStatus', 'oauth2', 'base64encode', 'v2', 'me', 'latest', 'openid-configuration'])(
    'leaves the word %s as it is beside keys',
    (word) => {
      const paths = pathsOf(
        exchange('GET /pets/1', { answered: pet(1) }),
        exchange(`GET /pets/${word}`, { answered: { total: 1, at: 'x' } }),
      );
      expect(paths).toEqual([`/pets/${word}`, '/pets/{petId}'].sort());
    },
  );

  it('takes a word for a key that tells items of the list before it apart, and that its own object shows', () => {
    const kinds = [{ kind: 'ALLOW' }, { kind: 'DEFAULT' }];
    const list = exchange('GET /rules', { answered: kinds });
    expect(pathsOf(list, exchange('GET /rules/ALLOW', { answered: kinds[0] }))).toContain('/rules/{ruleId}');
    const states = exchange('GET /rules', { answered: [...kinds, ...kinds] });
    expect(pathsOf(states, exchange('GET /rules/ALLOW', { answered: kinds[0] }))).toContain('/rules/ALLOW');
    expect(pathsOf(list, exchange('GET /rules/ALLOW', { answered: { total: 1 } }))).toContain('/rules/ALLOW');
  });

  it('takes no word for a key because a list at its end has an item of its name', () => {
    const settings = [{ name: 'config', value: 'no' }];
    const server = { id: 'main', type: 'Server' };
    expect(
      pathsOf(
        exchange('GET /servers/main', { answered: server }),
        exchange('GET /servers/main/config', { answered: settings }),
      ),
    ).toEqual(['/servers/{serverId}', '/servers/{serverId}/config']);
  });

  it('takes a word for a key that a response showed as one', () => {
    const list = [
      { slug: 'rex', title: 'Rex' },
      { slug: 'tom', title: 'Tom' },
    ];
    expect(
      pathsOf(
        exchange('GET /articles', { answered: list }),
        exchange('GET /articles/rex', { answered: list[0] }),
        exchange('GET /articles/tom/comments', { answered: [] }),
        exchange('GET /articles/drafts', { answered: [] }),
      ),
    ).toEqual(['/articles', '/articles/drafts', '/articles/{articleSlug}', '/articles/{articleSlug}/comments']);
  });

  it('takes a word for a key under which its own response shows the thing, and me for none', () => {
    expect(
      pathsOf(
        exchange('GET /users/ann', { answered: { login: 'ann', age: 3 } }),
        exchange('GET /users/me', { answered: { login: 'ann', age: 3 } }),
      ),
    ).toEqual(['/users/me', '/users/{userLogin}']);
  });

  it('takes a word for a key that the address of what was made ends in', () => {
    const made = exchange('POST /tags', {
      sent: { label: 'red' },
      status: 201,
      responseHeaders: { Location: 'https://api.example/tags/red' },
    });
    expect(pathsOf(made, exchange('DELETE /tags/red', { status: 204 }))).toEqual(['/tags', '/tags/{tagId}']);
  });

  it('takes a word for a key where a PUT made something', () => {
    const put = exchange('PUT /buckets/photos', { sent: { size: 1 }, status: 201 });
    expect(pathsOf(put)).toEqual(['/buckets/{bucketId}']);
  });

  it('takes three words for keys that show objects alike, and two that do not for none', () => {
    const country = (name: string): CleanExchange =>
      exchange(`GET /countries/${name}`, { answered: { people: 1, area: 2 } });
    expect(pathsOf(country('chile'), country('peru'), country('bolivia'))).toEqual(['/countries/{countryId}']);
    expect(
      pathsOf(
        exchange('GET /reports/sales', { answered: { sum: 1, year: 2 } }),
        exchange('GET /reports/visits', { answered: { pages: 1, hours: 2 } }),
      ),
    ).toEqual(['/reports/sales', '/reports/visits']);
  });

  it('takes two words for keys that objects show in one property, and what lies beside them for none', () => {
    const country = (code: string): CleanExchange =>
      exchange(`GET /country/${code}`, { answered: { country: { countryCode: code, area: 1 } } });
    expect(
      pathsOf(country('CL'), country('PE'), exchange('GET /country/largest', { answered: { countryCode: 'RU' } })),
    ).toEqual(['/country/largest', '/country/{countryCode}']);
    expect(pathsOf(country('CL'), country('CL'))).toEqual(['/country/CL']);
  });

  it('takes a word that the service rejects for a key among keys', () => {
    expect(
      pathsOf(
        exchange('GET /pets/1', { answered: pet(1) }),
        exchange('GET /pets/nobody', { status: 404, answered: {} }),
      ),
    ).toEqual(['/pets/{petId}']);
  });

  it('leaves constants below one word alone', () => {
    expect(
      pathsOf(
        exchange('GET /store/inventory', { answered: { sold: 3 } }),
        exchange('GET /store/orders/3', { answered: { id: 3 } }),
      ),
    ).toEqual(['/store/inventory', '/store/orders/{orderId}']);
  });

  it('names a variable by the property that shows it, and each in a path once', () => {
    expect(
      pathsOf(
        exchange('GET /inventory/7', { answered: { petId: 7, quantity: 1 } }),
        exchange('GET /nodes/1/nodes/2', { answered: { id: 2, name: 'x' } }),
        exchange('GET /people/1', { answered: { id: 1 } }),
      ),
    ).toEqual(['/inventory/{petId}', '/nodes/{nodeId}/nodes/{nodeId2}', '/people/{personId}']);
  });

  it('keeps what stands around a key in its segment', () => {
    expect(
      pathsOf(
        exchange('GET /things/5.json', { answered: { id: 5 } }),
        exchange('POST /things/5:cancel', { status: 204 }),
        exchange('GET /Boxes(7)', { answered: { id: 7 } }),
        exchange('POST /things:search', { answered: [] }),
      ),
    ).toEqual(['/Boxes({boxId})', '/things/{thingId}.json', '/things/{thingId}:cancel', '/things:search']);
  });

  it.each([
    ['/api/v1', ['/api/v1/pets', '/api/v1/shops'], ['/pets', '/shops']],
    ['/shop/rest/2.0', ['/shop/rest/2.0/pets/1'], ['/pets/{petId}']],
    ['/v3', ['/v3/pets'], ['/pets']],
  ])('finds the base path %s', (base, requests, paths) => {
    const document = inferDescription(
      requests.map((path) => exchange(`GET ${path}`, { answered: [] })),
      { title: 'api.example' },
    );
    expect(document['servers']).toEqual([{ url: base }]);
    expect(Object.keys(document['paths'] as object)).toEqual(paths);
  });

  it.each([
    ['a variable', '/{a}/api/pets', '/{id}/api/pets'],
    ['a host', '//v1/pets', '//v1/pets'],
  ])('takes nothing into the base path that a server URL would read as %s', (_, requested, path) => {
    const document = inferDescription([exchange(`GET ${requested}`, { answered: [] })], { title: 'api.example' });
    expect(document['servers']).toBeUndefined();
    expect(Object.keys(document['paths'] as object)).toEqual([path]);
  });

  it('takes the base path that it is told, and nothing that is not below it', () => {
    const exchanges = [exchange('GET /shop/pets', { answered: [] }), exchange('GET /health', { answered: {} })];
    const document = inferDescription(exchanges, { title: 'api.example', basePath: '/shop/' });
    expect(document).toMatchObject({
      servers: [{ url: '/shop' }],
      'x-standin-inferred': { exchanges: 1 },
    });
    expect(Object.keys(document['paths'] as object)).toEqual(['/pets']);
    expect(() => inferDescription(exchanges, { title: 'api.example', basePath: '/other' })).toThrow(
      'No recorded request is below the base path /other',
    );
  });

  it('keeps a slash at the end', () => {
    expect(
      pathsOf(exchange('GET /pets/', { answered: [pet(1)] }), exchange('GET /pets/1/', { answered: pet(1) })),
    ).toEqual(['/pets/', '/pets/{petId}/']);
  });
});
