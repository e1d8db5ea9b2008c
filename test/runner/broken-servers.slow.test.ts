import { runContract } from '../../src/library/run-contract';
import { RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { createInProcessTransport } from '../../src/network/target';
import { createServerParts } from '../../src/library/create-mock-server';
import type { HttpRequest } from '../../src/core/http/message';
import { allSteps } from '../../src/runner/result/outcome';
import { PROTOCOL_CASES } from '../checks/cases/index';
import {
  cannedTransport,
  changeBody,
  failures,
  oneStep,
  replayText,
  startBroken,
  withHeader,
  withoutHeader,
  type Defect,
} from './peer';

const isAt = ({ method, target }: HttpRequest, line: RegExp): boolean => line.test(`${method} ${target}`);
/** One walk over all operations: quicker than all bundled contracts, and what it finds can be told one by one. */
const CONTRACT = 'test/cases/contracts/every-operation.yaml';
const PET = /^GET \/pets\/\d+$/;
const HTML = '<!DOCTYPE html><title>Error</title><pre>Not Found</pre>';

/** One defect for each check, and what the run makes of it; nothing else may be blamed. */
const DEFECTS: readonly { check: string; defect: string; breaks: Defect; found: readonly string[] }[] = [
  {
    check: 'status-expected',
    defect: 'a read of an unknown order is a 400',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^GET \/store\/orders\/\d+$/) && response.status === 404
          ? changeBody({ ...response, status: 400 }, (body) => body.replace('404', '400'))
          : response,
    },
    // That two refusals share a code is a warning.
    found: ['getOrder status-expected'],
  },
  {
    check: 'code-expected',
    defect: 'conflicts have one code for all',
    breaks: {
      answer: (response) =>
        response.status === 409
          ? changeBody(response, (body) => body.replace(/"code":"\w+"/, '"code":"conflict"'))
          : response,
    },
    found: [
      'deleteCategory code-expected',
      'deletePet code-expected',
      'placeOrder code-expected',
      'replacePet code-expected',
      'updateOrder code-expected',
    ],
  },
  {
    check: 'body-expected',
    defect: 'letters beyond ASCII are lost',
    breaks: {
      answer: (response, request) =>
        isAt(request, PET) ? changeBody(response, (body) => body.replace('ë', 'e')) : response,
    },
    // What is read back is not what was sent.
    found: ['createPet echo', 'getPet body-expected'],
  },
  {
    check: 'status-documented',
    defect: 'a read is a 206',
    breaks: {
      answer: (response, request) =>
        isAt(request, PET) && response.status === 200 ? { ...response, status: 206 } : response,
    },
    found: ['getPet status-documented', 'getPet status-expected'],
  },
  {
    check: 'content-type',
    defect: 'JSON is sent as text',
    breaks: {
      answer: (response, request) =>
        isAt(request, PET) ? withHeader(response, 'Content-Type', 'text/plain') : response,
    },
    found: ['getPet content-type'],
  },
  {
    check: 'no-body',
    defect: 'a removal announces a body with its 204',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^DELETE \/pets/) && response.status === 204
          ? withHeader(response, 'Content-Length', '7')
          : response,
    },
    found: ['deletePet no-body'],
  },
  {
    check: 'body-present',
    defect: 'a change is answered with nothing',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^PATCH \/inventory/) && response.status === 200 ? changeBody(response, () => '') : response,
    },
    found: ['updateInventory body-expected', 'updateInventory body-present'],
  },
  {
    check: 'body-json',
    defect: 'a member comes twice',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^GET \/inventory\?petId/) && response.status === 200
          ? changeBody(response, (body) => body.replace('{"petId"', '{"quantity":1,"petId"'))
          : response,
    },
    found: ['listInventory body-expected', 'listInventory body-json'],
  },
  {
    check: 'body-schema',
    defect: 'the ids of a list are strings',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^GET \/pets\?id/)
          ? changeBody(response, (body) => body.replaceAll(/"categoryId":(\d+)/g, '"categoryId":"$1"'))
          : response,
    },
    found: ['listPets body-schema'],
  },
  {
    check: 'error-contract',
    defect: 'the framework answers where no operation does',
    breaks: {
      answer: (response) =>
        response.status === 405 ? changeBody(withHeader(response, 'Content-Type', 'text/html'), () => HTML) : response,
    },
    found: [
      'call a path with a method that it does not have content-type',
      'call a path with a method that it does not have error-contract',
    ],
  },
  {
    check: 'www-authenticate',
    defect: 'a 401 does not say how',
    breaks: {
      answer: (response, request) =>
        isAt(request, /^GET \/categories$/)
          ? { ...response, headers: withoutHeader(response.headers, 'www-authenticate') }
          : response,
    },
    found: ['listCategories www-authenticate'],
  },
  {
    check: 'allow',
    defect: 'a 405 does not say what else',
    breaks: { answer: (response) => ({ ...response, headers: withoutHeader(response.headers, 'allow') }) },
    found: ['call a path with a method that it does not have allow'],
  },
  {
    check: 'location',
    defect: 'Location is not a URL',
    breaks: {
      answer: (response) => (response.status === 201 ? withHeader(response, 'Location', 'it is there') : response),
    },
    found: ['createCategory location', 'createPet location', 'placeOrder location'],
  },
];

test.each(DEFECTS)('$check catches a server where $defect', async ({ breaks, found }) => {
  const server = await startBroken(breaks);
  try {
    const result = await runContract({ baseUrl: server.url, contracts: CONTRACT });
    expect(failures(result)).toEqual(found);
    expect(result.outcome).toBe('violations');
  } finally {
    await server.close();
  }
});

test('headers-expected catches a server that sends another tag', async () => {
  const { mock } = await createServerParts({});
  const petstore = createInProcessTransport(mock.engine);
  const contract = oneStep('operation: listPets', 'expect: { status: 200, headers: { X-Total-Count: 3 } }');
  expect(failures(await replayText(contract, petstore))).toEqual([]);
  const broken = {
    send: async (request: HttpRequest) => withHeader(await petstore.send(request), 'X-Total-Count', '4'),
  };
  expect(failures(await replayText(contract, broken))).toEqual(['listPets headers-expected']);
});

test('every check catches a broken server', () => {
  const caught = [...DEFECTS.map(({ check }) => check), 'headers-expected'];
  // Those of what always holds have their broken servers in test/checks/broken-protocol.test.ts.
  const ids = RESPONSE_CHECKS.map(({ id }) => id).filter((id) => !Object.hasOwn(PROTOCOL_CASES, id));
  expect(caught.sort()).toEqual(ids.sort());
});

describe('a server with a hole in its authentication', () => {
  const HOLES: readonly { hole: string; line: RegExp; found: readonly string[] }[] = [
    { hole: 'no removal asks for a key', line: /^DELETE /, found: ['cancelOrder', 'deleteCategory', 'deletePet'] },
    { hole: 'creating asks for none', line: /^POST /, found: ['createCategory', 'createPet', 'placeOrder'] },
    { hole: 'one change asks for none', line: /^PATCH \/inventory/, found: ['updateInventory'] },
    { hole: 'one list asks for none', line: /^GET \/store\/orders$/, found: ['listOrders'] },
  ];

  test.each(HOLES)('is found where $hole, and nothing is lost in it', async ({ line, found }) => {
    const open = (request: HttpRequest): HttpRequest =>
      isAt(request, line)
        ? {
            ...request,
            headers: { ...request.headers, authorization: 'Bearer test-key' },
            rawHeaders: [...withoutHeader(request.rawHeaders, 'authorization'), 'Authorization', 'Bearer test-key'],
          }
        : request;
    const server = await startBroken({ request: open });
    const before = server.stored();
    try {
      const { probes } = await runContract({ baseUrl: server.url, contracts: CONTRACT });
      const failed = probes.filter(({ verdict }) => verdict.kind === 'fail').map(({ operation }) => operation);
      expect([...new Set(failed)].sort()).toEqual(found);
      // Who lets two headers in breaks no rule: that is a warning.
      const warned = probes.filter(({ warnings }) => warnings.some(({ check }) => check === 'status-expected'));
      // What is let in once is not asked for again, where that might make or change something each time.
      expect(failed.length + warned.length).toBeGreaterThanOrEqual(
        found.length * (line.source.startsWith('^GET') ? 8 : 1),
      );
      expect(collections(server.stored())).toEqual(collections(before));
    } finally {
      await server.close();
    }
  });

  /** Without the counters of ids, which go on. */
  function collections(state: string): unknown {
    return (JSON.parse(state) as { collections: unknown }).collections;
  }
});

const shuffled = (body: string): string => {
  const value = JSON.parse(body) as unknown;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return body;
  return JSON.stringify(Object.fromEntries(Object.entries(value).reverse()), null, 2);
};

/** Servers that differ from ours and are right all the same. */
const BENIGN: readonly { difference: string; differs: Defect }[] = [
  {
    difference: 'members come in another order, with white space',
    differs: { answer: (r) => changeBody(r, shuffled) },
  },
  {
    difference: 'the charset is named',
    differs: {
      answer: (r) => (r.body === undefined ? r : withHeader(r, 'content-type', 'application/json;charset=utf-8')),
    },
  },
  {
    difference: 'header names are in lower case',
    differs: {
      answer: (r) => ({ ...r, headers: r.headers.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)) }),
    },
  },
  {
    difference: 'messages are other ones, and errors have more members',
    differs: {
      answer: (r) =>
        r.status < 400
          ? r
          : changeBody(r, (body) => body.replace(/"message":"(?:[^"\\]|\\.)*"/, '"message":"no","trace":"x"')),
    },
  },
  {
    difference: 'Location is a path',
    differs: {
      answer: (r) => ({
        ...r,
        headers: r.headers.map((text, index) => (r.headers[index - 1] === 'Location' ? new URL(text).pathname : text)),
      }),
    },
  },
  {
    difference: 'pets have more members than documented',
    differs: { answer: (r, request) => (isAt(request, PET) ? changeBody(r, (b) => b.replace('{', '{"age":3,')) : r) },
  },
];

test.each(BENIGN)('a server passes where $difference', async ({ differs }) => {
  const server = await startBroken(differs);
  try {
    const result = await runContract({ baseUrl: server.url, contracts: CONTRACT });
    expect(failures(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
  } finally {
    await server.close();
  }
});

test('what a server sends at any length is cut in findings', async () => {
  const long = 'x'.repeat(20_000);
  const response = { status: 200, headers: ['Content-Type', `text/${long}`], body: `{"${long}":1}` };
  const result = await replayText(
    oneStep('operation: getPet', 'parameters: { petId: 1 }', 'expect: { status: 200 }'),
    cannedTransport(response),
  );
  const [step] = allSteps(result);
  const texts = JSON.stringify([step?.verdict, step?.warnings]);
  expect(texts).toContain(`text/${'x'.repeat(1000)}`);
  expect(texts.length).toBeLessThan(10_000);
});
