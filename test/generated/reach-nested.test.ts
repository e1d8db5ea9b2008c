import express, { type Express } from 'express';
import { runContract } from '../../src/library/run-contract';
import { list, object, ref, smallApi, text } from '../support/small-api';
import { folder } from './reach-service';

type Row = Readonly<Record<string, unknown>>;

const CODE = '^[A-Z]{2}-[0-9]{3}$';
const NUMBER = '^[A-Z0-9][A-Z0-9-]{2,19}$';
const depot = object({ name: text }, ['name']);
const van = object({ label: text, tag: { ...text, pattern: '^[A-Z0-9]{4,8}$' } }, ['label', 'tag']);
const lot = object(
  { lotNumber: { ...text, pattern: NUMBER, example: 'L26-0031' }, origins: { ...list(ref('DepotCode')), minItems: 1 } },
  ['lotNumber', 'origins'],
);
const id = { id: { ...text, readOnly: true } };
const unsupported = { 400: null, 404: null, 409: null, 415: null };

/** Depots under a short code that clients choose, vans made below a depot and read by themselves, and lots from depots. */
const description = folder.write(
  'depots.json',
  smallApi(
    {
      'GET /depots': { answers: { 200: list(ref('Depot')) } },
      'GET /depots/{code}': { answers: { 200: ref('Depot'), 404: null } },
      'PUT /depots/{code}': { body: depot, answers: { 200: ref('Depot'), 201: ref('Depot'), 400: null, 415: null } },
      'DELETE /depots/{code}': { answers: { 204: null, 404: null } },
      'GET /depots/{code}/vans': { answers: { 200: list(ref('Van')), 404: null } },
      'POST /depots/{code}/vans': { body: van, answers: { 201: ref('Van'), ...unsupported } },
      'GET /vans/{vanId}': { answers: { 200: ref('Van'), 404: null } },
      'DELETE /vans/{vanId}': { answers: { 204: null, 404: null } },
      'GET /lots': { answers: { 200: list(ref('Lot')) } },
      'POST /lots': {
        description:
          'Its `lotNumber` is printed on the jars: 409 if another lot has it. 422 if one of the `origins` is no depot.',
        body: lot,
        answers: { 201: ref('Lot'), 422: null, ...unsupported },
      },
      'GET /lots/{lotId}': { answers: { 200: ref('Lot'), 404: null } },
      'DELETE /lots/{lotId}': { answers: { 204: null, 404: null } },
    },
    {
      DepotCode: { ...text, pattern: CODE },
      Depot: object({ code: ref('DepotCode'), name: text }, ['code', 'name']),
      Van: { allOf: [object({ ...id, depotCode: ref('DepotCode') }, ['id', 'depotCode']), van] },
      Lot: { allOf: [object(id, ['id']), lot] },
    },
    { code: ref('DepotCode') },
  ),
);

function serve(): {
  readonly app: Express;
  readonly rows: Record<'depots' | 'vans' | 'lots', Map<string, Row>>;
  readonly numbers: unknown[];
} {
  const rows = {
    depots: new Map<string, Row>([['AA-001', { code: 'AA-001', name: 'theirs' }]]),
    vans: new Map<string, Row>([['1', { id: '1', depotCode: 'AA-001', label: 'theirs', tag: 'THEIRS' }]]),
    lots: new Map<string, Row>([['1', { id: '1', lotNumber: 'L26-0031', origins: ['AA-001'] }]]),
  };
  const numbers: unknown[] = [];
  let count = 1;
  const app = express();
  app.use((request, response, next) => {
    const isJson = request.is('application/json') !== false && request.is('application/json') !== null;
    if (['POST', 'PUT'].includes(request.method) && !isJson) response.status(415).end();
    else next();
  });
  app.use(express.json({ strict: false }));
  app.use(((_error, _request, response, _next) => {
    response.status(400).end();
  }) as express.ErrorRequestHandler);
  const isText = (value: unknown, pattern = /^.*$/s): value is string =>
    typeof value === 'string' && pattern.test(value);
  app.put('/depots/:code', ({ body, params: { code } }, response) => {
    const { name } = Object(body) as Row;
    if (!isText(name) || !new RegExp(CODE).test(code)) return void response.status(400).end();
    const isThere = rows.depots.has(code);
    rows.depots.set(code, { code, name });
    response.status(isThere ? 200 : 201).json({ code, name });
  });
  app.use('/depots/:code/vans', ({ method, body, params: { code } }, response) => {
    const { label, tag } = Object(body) as Row;
    if (!rows.depots.has(code)) return void response.status(404).end();
    if (method === 'GET')
      return void response.json([...rows.vans.values()].filter(({ depotCode }) => depotCode === code));
    if (!isText(label) || !isText(tag, /^[A-Z0-9]{4,8}$/)) return void response.status(400).end();
    const own = { id: String((count += 1)), depotCode: code, label, tag };
    rows.vans.set(own.id, own);
    response.status(201).location(`/vans/${own.id}`).json(own);
  });
  app.post('/lots', ({ body }, response) => {
    const { lotNumber, origins } = Object(body) as Row;
    if (!isText(lotNumber, new RegExp(NUMBER)) || !Array.isArray(origins) || origins.length === 0)
      return void response.status(400).end();
    if (!origins.every((each) => rows.depots.has(String(each)))) return void response.status(422).end();
    if ([...rows.lots.values()].some((each) => each['lotNumber'] === lotNumber)) return void response.status(409).end();
    numbers.push(lotNumber);
    const own = { id: String((count += 1)), lotNumber, origins };
    rows.lots.set(own.id, own);
    response.status(201).location(`/lots/${own.id}`).json(own);
  });
  for (const [name, all] of Object.entries(rows)) {
    app.get(`/${name}`, (_, response) => void response.json([...all.values()]));
    app.get(`/${name}/:key`, ({ params }, response) => {
      const row = all.get(params.key);
      response.status(row === undefined ? 404 : 200).json(row ?? {});
    });
    app.delete(
      `/${name}/:key`,
      ({ params }, response) => void response.status(all.delete(params.key) ? 204 : 404).end(),
    );
  }
  return { app, rows, numbers };
}

test('what is made below a thing and found by itself, at short keys and with numbers of its own, is made and removed', async () => {
  const { app, rows, numbers } = serve();
  const before = JSON.stringify(Object.values(rows).map((each) => [...each.values()]));
  const {
    outcome,
    uncalled = [],
    leftBehind,
  } = await runContract({
    app,
    description,
    seed: 1,
    generate: ['lifecycle'],
  });
  expect([outcome, uncalled, leftBehind]).toEqual(['conforms', [], []]);
  expect(JSON.stringify(Object.values(rows).map((each) => [...each.values()]))).toBe(before);
  expect(numbers.length).toBeGreaterThan(2);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers).not.toContain('L26-0031');
});
