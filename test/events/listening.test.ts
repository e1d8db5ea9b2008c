import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMockServer } from '../../src/library/create-mock-server';
import { openReceiver } from '../../src/network/event-receiver';
import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import { allSteps } from '../../src/runner/result/outcome';
import type { ContractResult, RunResult, StepResult } from '../../src/runner/result/run-result';
import { temporaryFolder } from '../support/temporary-folder';
import { PAYMENTS } from './payments';

const folder = temporaryFolder();
let written = 0;
const contract = (steps: string, name = 'events'): string =>
  folder.write(`contract-${++written}.yaml`, `standin: contract/1\nname: ${name}\nsteps:\n${steps}`);

interface Told {
  readonly check: string;
  readonly severity: string;
  readonly at: string;
  readonly message: string;
  readonly actual?: string | undefined;
  readonly hint?: string | undefined;
}

const findingsOf = (result: RunResult): Told[] => findingsOfSteps(allSteps(result));
const findingsOfSteps = (steps: readonly StepResult[]): Told[] =>
  steps.flatMap(({ verdict, warnings }) => [...(verdict.kind === 'fail' ? verdict.findings : []), ...warnings]);
const briefly = (result: RunResult): string[] => findingsOf(result).map(({ check, at }) => `${check} ${at}`);

const verify = (options: Partial<RunContractOptions>): Promise<RunResult> =>
  runContract({ listen: true, auth: 'off', probesAuth: false, ...options });

describe('the mock', () => {
  const description = folder.write('payments.json', JSON.stringify(PAYMENTS));
  const run = async (steps: string): Promise<RunResult> => {
    const app = await createMockServer({ description, auth: 'off', state: 'empty' });
    return verify({ app, description, contracts: contract(steps) });
  };
  /** For what is refused before anything is sent: nobody is at the address. */
  const runNowhere = (steps: string, more: Partial<RunContractOptions> = {}): Promise<RunResult> =>
    verify({ baseUrl: 'http://127.0.0.1:9', description, contracts: contract(steps), ...more });
  const SUBSCRIBE = `
  - method: POST
    path: /webhooks
    body: { url: '\${receiverUrl}/hooks', secret: whsec_c2VjcmV0LXNlY3JldA== }
    expect: { status: 201 }
  - method: POST
    path: /payments
    body: { amount: 5, status: pending, callbackUrl: '\${receiverUrl}/mine' }
    expect: { status: 201 }
    capture: { paymentId: $response.body#/id }
    expectEvent: { event: onEvent, path: /mine, body: { type: payment.created, data: { id: '\${paymentId}' } } }
`;

  test('sends what contracts expect, signed, in order, once', async () => {
    const result = await run(`${SUBSCRIBE}
  - method: PUT
    path: /payments/\${paymentId}
    body: { amount: 5, status: completed }
    expect: { status: 200 }
    expectEvent:
      - event: payment.completed
        path: /hooks
        secret: whsec_c2VjcmV0LXNlY3JldA==
        body: { data: { status: completed } }
        headers: { Webhook-Id: { $pattern: ^msg_ } }
      - { event: payment.deleted, times: 0, withinMs: 50 }
  - method: PUT
    path: /payments/\${paymentId}
    body: { amount: 0 }
    expect: { status: [400, 422] }
    expectEvent: { event: payment.completed, times: 0, withinMs: 200 }
`);
    expect(findingsOf(result).filter(({ at }) => at.startsWith('/event'))).toEqual([]);
    expect(result.outcome).toBe('conforms');
  });

  test('a wrong expectation fails, and says what came', async () => {
    const result = await run(`${SUBSCRIBE}
  - method: PUT
    path: /payments/\${paymentId}
    body: { amount: 5, status: completed }
    expect: { status: 200 }
    expectEvent: { event: payment.completed, path: /hooks, secret: another, body: { data: { amount: 6 } }, withinMs: 1500 }
  - method: DELETE
    path: /payments/\${paymentId}
    expect: { status: 204 }
    expectEvent: { event: payment.deleted, times: 0, withinMs: 5000 }
`);
    expect(briefly(result).toSorted()).toEqual([
      'body-expected /event/body/data/amount',
      'event-expected /event',
      'event-signature /event/headers',
    ]);
    expect(findingsOf(result).map(({ message }) => message)).toContain(
      'The event payment.completed: Its signature is not that of the secret',
    );
  });

  test('steps that expect events are refused where nobody listens, with their place', async () => {
    await expect(runNowhere(SUBSCRIBE, { listen: undefined })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /contract-\d+\.yaml:\d+:\d+: the step "POST \/webhooks" says where the service is to send something, and nobody listens/,
      ) as string,
      hint: expect.stringContaining('--listen') as string,
    });
  });

  test('an event that the description does not have is refused, with the one that was meant', async () => {
    const steps = SUBSCRIBE.replace('event: onEvent', 'event: onEvents');
    await expect(runNowhere(steps)).rejects.toMatchObject({
      findings: [
        expect.objectContaining({
          message: expect.stringContaining('The description has no callback or webhook "onEvents"') as string,
          hint: expect.stringContaining('onEvent') as string,
        }),
      ],
    });
  });
});

const sent = (required: string[] = []): object => ({
  post: {
    parameters: [{ name: 'X-Shop', in: 'header', required: true, schema: { type: 'integer' } }],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['id', ...required],
            properties: { id: { type: 'integer' }, name: { type: 'string' } },
          },
        },
      },
    },
    responses: { 200: { description: 'taken' } },
  },
});
const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      post: {
        operationId: 'order',
        requestBody: { content: { 'application/json': {} } },
        responses: { 201: { description: 'made' } },
      },
    },
  },
  webhooks: { 'order.created': sent(), 'order.paid': sent(['name']) },
};

interface Message {
  readonly event?: string;
  readonly id?: string;
  readonly shop?: string;
  readonly body?: string;
  readonly secret?: string;
  readonly type?: string;
  readonly seconds?: number;
}

/** A service that answers 201 and then sends the messages of the case that the request names. */
async function startService(
  messagesOf: (name: string) => readonly Message[],
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece)));
    request.on('end', () => {
      response.writeHead(201).end();
      const { url, name } = JSON.parse(text) as { url: string; name: string };
      void (async () => {
        for (const message of url.endsWith(':9/') ? [] : messagesOf(name)) await deliver(url, message);
      })();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function deliver(url: string, message: Message): Promise<void> {
  const { event = 'order.created', id, shop = '7', body = '{"id":1}', secret, type = 'application/json' } = message;
  const seconds = message.seconds ?? Math.floor(Date.now() / 1000);
  const headers: Record<string, string> = { 'Content-Type': type, 'X-Shop-Event': event };
  if (shop !== '') headers['X-Shop'] = shop;
  if (id !== undefined) headers['X-Shop-Delivery'] = id;
  if (secret !== undefined) {
    headers['X-Shop-Timestamp'] = String(seconds);
    headers['X-Shop-Signature'] = `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
  }
  await fetch(url, { method: 'POST', headers, body });
}

// What comes ends the wait; only for what does not come all of it is waited.
const CREATED = '{ event: order.created }';
const MISSING = '{ event: order.created, withinMs: 300 }';
const SECRET = '{ event: order.created, secret: s3cr3t-of-the-shop }';

const CASES: readonly (readonly [
  what: string,
  expected: string,
  messages: readonly Message[],
  findings: readonly string[],
])[] = [
  ['as it should be', CREATED, [{}], []],
  ['nothing', MISSING, [], ['event-expected /event']],
  ['another event', MISSING, [{ event: 'order.paid', body: '{"id":1,"name":"a"}' }], ['event-expected /event']],
  ['a body that breaks its schema', CREATED, [{ body: '{"id":"1"}' }], ['body-schema /event/body/id']],
  [
    'a body without what is required',
    '{ event: order.paid }',
    [{ event: 'order.paid' }],
    ['body-schema /event/body/name'],
  ],
  [
    'a property that nobody documented',
    CREATED,
    [{ body: '{"id":1,"more":2}' }],
    ['undocumented-members /event/body/more'],
  ],
  ['no JSON', CREATED, [{ body: 'id=1' }], ['body-json /event/body']],
  ['no body', CREATED, [{ body: '' }], ['body-present /event/body']],
  ['another media type', CREATED, [{ type: 'text/plain' }], ['content-type /event/headers/content-type']],
  ['no header that is required', CREATED, [{ shop: '' }], ['headers-schema /event/headers/x-shop']],
  ['a header of another type', CREATED, [{ shop: 'seven' }], ['headers-schema /event/headers/x-shop']],
  [
    'another body than the contract has',
    '{ event: order.created, body: { id: 2 }, withinMs: 1500 }',
    [{}],
    ['body-expected /event/body/id'],
  ],
  ['the same message twice', CREATED, [{ id: 'a' }, { id: 'a' }], ['event-repeated /event']],
  ['one more message', CREATED, [{ id: 'a' }, { id: 'b' }], ['event-expected /event']],
  ['two that are two', '{ event: order.created, times: 2 }', [{ id: 'a' }, { id: 'b' }], []],
  ['one of two', '{ event: order.created, times: 2, withinMs: 1500 }', [{ id: 'a' }], ['event-expected /event']],
  ['one where none is to come', '{ event: order.created, times: 0, withinMs: 5000 }', [{}], ['event-expected /event']],
  ['nothing, where nothing is to come', '{ event: order.created, times: 0, withinMs: 50 }', [], []],
  ['a right signature', SECRET, [{ secret: 's3cr3t-of-the-shop' }], []],
  ['a wrong signature', SECRET, [{ secret: 'another' }], ['event-signature /event/headers']],
  ['no signature', SECRET, [{}], ['event-signature /event/headers']],
  [
    'an old signature',
    SECRET,
    [{ secret: 's3cr3t-of-the-shop', seconds: 1_700_000_000 }],
    ['event-signature /event/headers'],
  ],
  [
    'two events in their order',
    '[{ event: order.created }, { event: order.paid }]',
    [{}, { event: 'order.paid', body: '{"id":1,"name":"a"}' }],
    [],
  ],
  [
    'two events in another order',
    '[{ event: order.created }, { event: order.paid }]',
    [{ event: 'order.paid', body: '{"id":1,"name":"a"}' }, {}],
    ['event-order /event'],
  ],
];

describe('a service that sends', () => {
  const ran = new Map<string, ContractResult>();
  let text: string;
  beforeAll(async () => {
    const service = await startService((name) => CASES.find(([what]) => what === name)?.[2] ?? []);
    try {
      // What comes again does so after the step, and before the contract is over.
      const contracts = CASES.map(([what, expected, messages]) =>
        contract(
          `
  - operation: order
    body: { url: '\${receiverUrl}', name: ${what} }
    expect: { status: 201 }
    expectEvent: ${expected}
  - operation: order
    body: { url: 'http://127.0.0.1:9/' }
    expect: { status: 201 }
    expectEvent: { event: order.paid, times: 0, withinMs: ${messages.length > 1 ? 1000 : 50}, body: { name: nobody } }
`,
          what,
        ),
      );
      const description = folder.write('orders.json', JSON.stringify(ORDERS));
      const result = await verify({ baseUrl: service.url, description, contracts });
      for (const each of result.contracts) ran.set(each.name, each);
      text = JSON.stringify(result);
    } finally {
      await service.close();
    }
  });

  test.each(CASES)('%s', (what, _expected, _messages, findings) => {
    const all = findingsOfSteps(ran.get(what)!.steps).filter(({ at }) => at.startsWith('/event'));
    expect(all.map(({ check, at }) => `${check} ${at}`)).toEqual(findings);
  });

  test('no secret is in the result', () => {
    expect(ran.size).toBe(CASES.length);
    expect(text).not.toContain('s3cr3t-of-the-shop');
  });
});

test('a public address may have a path before that of the contract, and what comes to none in particular is for all', async () => {
  const receiver = await openReceiver({ address: '0', publicUrl: 'https://me.example/tunnel/' });
  try {
    const [one, other] = [receiver.open(), receiver.open()];
    expect(one.url).toMatch(/^https:\/\/me\.example\/tunnel\/[\w-]{12}$/);
    const port = receiver.port;
    const post = async (path: string, body = 'x'): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })).status;
    expect(await post(`${new URL(one.url).pathname}/paid?a=b`)).toBe(204);
    expect(await post('/anywhere')).toBe(204);
    expect([one, other].map(({ received }) => received.map(({ path }) => path))).toEqual([
      ['/paid', '/anywhere'],
      ['/anywhere'],
    ]);
    expect(await post('/', 'x'.repeat(5 * 1024 * 1024))).toBe(413);
    // A service that sends in a circle does not fill the memory.
    const large = Buffer.alloc(4 * 1024 * 1024, 'x');
    const address = `http://127.0.0.1:${port}${new URL(one.url).pathname}`;
    for (let sent = 0; sent < 17; sent++) {
      // fetch would copy each of them.
      const [response] = (await once(request(address, { method: 'POST' }).end(large), 'response')) as [IncomingMessage];
      response.resume();
    }
    expect(await post(new URL(one.url).pathname)).toBe(429);
    expect(await post(new URL(other.url).pathname)).toBe(204);
  } finally {
    await receiver.close();
  }
});

test('in mode observe nothing is sent that could cause an event, and nobody has to listen', async () => {
  const service = await startService(() => []);
  try {
    const description = folder.write('orders.json', JSON.stringify(ORDERS));
    const contracts = contract(`
  - operation: order
    body: { url: '\${receiverUrl}' }
    expect: { status: 201 }
    expectEvent: { event: order.created }
`);
    const options = { baseUrl: service.url, description, contracts, listen: false, allowSkipped: true } as const;
    await expect(verify({ ...options, mode: 'observe' })).resolves.toBeDefined();
    await expect(verify({ ...options, mode: 'own' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  } finally {
    await service.close();
  }
});

test('a public address without a receiver, and one that is none, are refused', async () => {
  const bad = (options: Partial<RunContractOptions>): Promise<RunResult> =>
    runContract({ baseUrl: 'http://127.0.0.1:1', ...options });
  await expect(bad({ publicUrl: 'https://me.example' })).rejects.toMatchObject({
    message: expect.stringContaining('none is opened') as string,
  });
  await expect(bad({ listen: true, publicUrl: 'me.example' })).rejects.toMatchObject({
    message: expect.stringContaining('must be a URL') as string,
  });
  await expect(bad({ listen: 'here' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(bad({ listen: 70_000 })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
