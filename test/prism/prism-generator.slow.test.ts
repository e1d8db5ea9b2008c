import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { createPrismGenerator } from '../../src/prism/prism-generator';
import { getting, loadModel, mockOf, modelOf } from './weather';

const weather = loadModel();

async function textOf(path: string, app = mockOf(weather)): Promise<string> {
  return (await request(app).get(path).expect(200)).text;
}

/** The reason of the 501 that a path is answered with. */
async function refusal(path: string, app = mockOf(weather)): Promise<string> {
  const response = await request(app).get(path).expect(501).expect('Content-Type', 'application/problem+json');
  expect(response.body).toMatchObject({ status: 501, code: 'not_implemented' });
  return String(response.body.detail);
}

describe('a response without an example', () => {
  test('gets a body that its schema allows, with what the schema itself shows', async () => {
    const response = await request(mockOf(weather))
      .get('/weather')
      .expect(200)
      .expect('Content-Type', 'application/json')
      .expect('Cache-Control', 'no-store');
    expect(response.body).toEqual({
      city: 'Bergen',
      celsius: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      sky: expect.stringMatching(/^(clear|cloudy|rain)$/),
    });
    expect(Math.abs(response.body.celsius)).toBeLessThanOrEqual(60);
  });

  test('is answered with the same bytes each time', async () => {
    const app = mockOf(weather);
    expect(await textOf('/forecast', app)).toBe(await textOf('/forecast', app));
  });

  test('is answered with the same bytes by two mocks, whatever they were asked before', async () => {
    const [first, second] = [mockOf(weather), mockOf(loadModel())];
    await textOf('/weather', first);
    await textOf('/report', first);
    expect(await textOf('/forecast', first)).toBe(await textOf('/forecast', second));
    const reading = await request(first).post('/readings').send({}).expect(201);
    expect((await request(second).post('/readings').send({})).text).toBe(reading.text);
  });

  test('gets another body than the next operation with the same schema', async () => {
    const api = modelOf({ '/a': getting('a', { type: 'integer' }), '/b': getting('b', { type: 'integer' }) });
    expect(await textOf('/a', mockOf(api))).not.toBe(await textOf('/b', mockOf(api)));
  });

  test('gets its body once for requests that come together', async () => {
    const generator = createPrismGenerator(weather);
    const operation = weather.operationById('getForecast')!;
    const [first, second] = await Promise.all([generator.generate(operation, 200), generator.generate(operation, 200)]);
    expect(first).toMatchObject({ kind: 'generated' });
    expect(second).toBe(first);
  });

  test('keeps its types: int64, decimals, base64, a made-up name, an example that is wrong, a schema that says nothing', async () => {
    const { body } = await request(mockOf(weather)).post('/readings').send({}).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      exact: expect.any(Number),
      rate: expect.any(Number),
      hash: expect.stringMatching(/^[A-Za-z0-9+/]+$/),
      observer: expect.stringMatching(/^\S+$/),
      note: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      hint: {},
    });
    expect(body.exact).toBeGreaterThanOrEqual(2.5);
    expect(body.exact).toBeLessThanOrEqual(2.75);
    expect(body.hash.length % 4).toBe(0);
  });

  test('is text where the media type is text', async () => {
    const response = await request(mockOf(weather)).get('/report').expect(200).expect('Content-Type', 'text/plain');
    expect(response.text).toMatch(/^[^"]+$/);
  });

  test('gets no body where none is described', async () => {
    const response = await request(mockOf(weather)).get('/gusts').expect(204);
    expect(response.text).toBe('');
  });
});

describe('a schema that leads back to itself', () => {
  test('ends where the way back may be left out', async () => {
    expect(JSON.parse(await textOf('/fronts'))).toEqual({ name: 'Frida', speed: expect.any(Number) });
  });

  test('ends in an empty list where there is one', async () => {
    expect(await textOf('/basins')).toContain('"parts":[]');
  });

  test('ends where the way back is through allOf, with what is required alone', async () => {
    const knot = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' }, up: { allOf: [{ $ref: '#/components/schemas/Knot' }] } },
    };
    const api = modelOf({ '/knot': getting('knot', { $ref: '#/components/schemas/Knot' }) }, { Knot: knot });
    expect(JSON.parse(await textOf('/knot', mockOf(api)))).toMatchObject({ id: expect.any(Number) });
  });

  test('is refused when it can never end', async () => {
    expect(await refusal('/abyss')).toMatch(/getAbyss 200: .*what it requires leads back to itself/);
  });
});

describe('a body that cannot be made is a 501 with the reason', () => {
  test('for a schema that nothing satisfies', async () => {
    expect(await refusal('/snow')).toMatch(/^No body could be made for getSnow 200: nothing was found that satisfies /);
  });

  test('for a response that has no schema', async () => {
    expect(await refusal('/silence')).toContain('the description has neither a schema nor an example');
  });

  test.each(['/storms', '/hail'])('for %s, on which Prism hangs, what comes next is answered', async (path) => {
    const app = mockOf(weather);
    const operation = weather.operations.find((each) => each.path === path)!;
    const generator = createPrismGenerator(weather);
    const [payload, waiting] = await Promise.all([generator.generate(operation, 200), textOf('/weather', app)]);
    expect(payload).toEqual({ kind: 'failed', reason: 'Prism did not finish within 2 s' });
    expect(waiting).toContain('Bergen');
    // The same object: Prism is not asked again.
    expect(await generator.generate(operation, 200)).toBe(payload);
  });

  test('a sample of our own stands in for what Prism hangs on', async () => {
    const first = await textOf('/storms');
    expect(first).toMatch(/x{2,}z/);
    expect(await textOf('/storms')).toBe(first);
  });
});

test('the words of OpenAPI 3.1 are put into those that Prism reads', async () => {
  const schema = {
    type: 'object',
    required: ['kind', 'share', 'note'],
    properties: {
      kind: { const: 'frost' },
      share: { type: 'number', exclusiveMinimum: 10, exclusiveMaximum: 900 },
      note: { type: ['string', 'null'], minLength: 3 },
    },
  };
  const api = modelOf({ '/frost': getting('frost', schema) }, {}, '3.1.0');
  const payload = await createPrismGenerator(api).generate(api.operationById('frost')!, 200);
  expect(payload).toMatchObject({ kind: 'generated', value: { kind: 'frost', share: expect.any(Number) } });
});

describe('nobody is called', () => {
  let server: Server;
  let url: string;
  let calls: number;

  beforeEach(async () => {
    calls = 0;
    server = createServer((_request, response) => {
      calls += 1;
      response.setHeader('Content-Type', 'application/json').end('{"type":"string","enum":["fetched"]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/schema.json`;
  });

  afterEach(async () => {
    // A call that the worker has begun arrives before the worker ends another job and we call ourselves.
    await createPrismGenerator(weather).generate(weather.operationById('getWeather')!, 200);
    await (await fetch(url)).text();
    server.close();
    server.closeAllConnections();
    expect(calls).toBe(1);
  });

  test('by the callbacks of an operation', async () => {
    const callback = { [url]: { post: { responses: { '200': { description: 'Heard' } } } } };
    const api = modelOf({ '/bells': getting('ring', { type: 'integer' }, { callbacks: { rung: callback } }) });
    await textOf('/bells', mockOf(api));
  });

  test('by a reference to another host, and what is made of it is not given out', async () => {
    const schema = { type: 'object', required: ['x'], properties: { x: { $ref: url } } };
    const api = modelOf({ '/far': getting('far', schema) });
    // Loading refuses such a description; this model was never judged.
    await expect(createPrismGenerator(api).generate(api.operationById('far')!, 200)).rejects.toMatchObject({
      code: 'SPEC_SCHEMA_DOES_NOT_COMPILE',
    });
  });

  test('by data that looks like a reference', async () => {
    const link = { $ref: url };
    const schema = {
      type: 'object',
      required: ['one'],
      properties: {
        one: { enum: [link, 'two'] },
        more: { type: 'object', default: link, example: link },
        name: { type: 'string', 'x-faker': link },
      },
      'x-link': link,
    };
    const requestBody = { content: { 'application/json': { schema: { type: 'object' }, example: link } } };
    const api = modelOf({ '/look': getting('look', schema, { requestBody, 'x-link': link }) });
    expect(JSON.parse(await textOf('/look', mockOf(api)))).toEqual({ one: 'two', more: {}, name: expect.any(String) });
  });
});
