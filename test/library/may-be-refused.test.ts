import express from 'express';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const DESCRIPTION = folder.write(
  'tickets.yaml',
  `openapi: 3.0.3
info: { title: Tickets, version: '1' }
paths:
  /tickets:
    get:
      operationId: listTickets
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { type: object } } } } }
    post:
      operationId: buyTicket
      responses: { '201': { description: Bought }, '409': { description: Sold out } }
  /tickets/{ticketId}:
    parameters: [{ name: ticketId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getTicket, responses: { '200': { description: One } } }
`,
);

/** A run in which nothing passes is inconclusive. */
const FIRST = '  - { operation: listTickets, expect: { status: 200 } }\n';

/** What becomes of the steps after the first, where buying a ticket gives a status and there are no tickets. */
async function verdicts(steps: string, status: number): Promise<string[]> {
  const app = express();
  app.get('/tickets', (_, response) => {
    response.json([]);
  });
  app.post('/tickets', (_, response) => {
    response.status(status).end();
  });
  const contracts = folder.write(
    'tickets.contract.yaml',
    `standin: contract/1\nname: Tickets\nsteps:\n${FIRST}${steps}`,
  );
  const result = await runContract({ app, description: DESCRIPTION, contracts, auth: 'off' });
  return [
    ...allSteps(result)
      .slice(1)
      .map(({ verdict }) => (verdict.kind === 'skipped' ? verdict.cause : verdict.kind)),
    result.outcome,
  ];
}

const buy = (mayBeRefused: string): string =>
  `  - { operation: buyTicket, mayBeRefused: ${mayBeRefused}, expect: { status: 201 } }\n`;

test.each([
  ['any refusal', 'true', 409, ['refused', 'conforms']],
  ['one of its refusals', '[402, 409]', 409, ['refused', 'conforms']],
  ['another refusal', '[402]', 409, ['fail', 'violations']],
  ['no refusal', 'false', 409, ['fail', 'violations']],
  ['one that the description does not have', 'true', 410, ['fail', 'violations']],
  ['one that descriptions mostly leave unsaid', 'true', 422, ['refused', 'conforms']],
  ['what is no refusal', 'true', 500, ['fail', 'violations']],
  ['what is expected', 'true', 201, ['pass', 'conforms']],
])('a step that may be refused meets %s', async (_, mayBeRefused, status, expected) => {
  expect(await verdicts(buy(mayBeRefused), status)).toEqual(expected);
});

test('a list that has nothing to capture takes with it what needs it, and fails nothing', async () => {
  const look = (mayBeRefused: boolean): string => `
  - operation: listTickets
    mayBeRefused: ${String(mayBeRefused)}
    expect: { status: 200 }
    capture: { ticketId: '$response.body#/0/id' }
  - operation: getTicket
    parameters: { ticketId: '\${ticketId}' }
    expect: { status: 200 }
`;
  expect(await verdicts(look(true), 201)).toEqual(['refused', 'refused', 'conforms']);
  expect((await verdicts(look(false), 201))[0]).toBe('fail');
});

test('after a refusal in the setup no further step of it is sent', async () => {
  const setup = `
  - { operation: listTickets, expect: { status: 200 } }
setup:
  - { operation: buyTicket, mayBeRefused: true, expect: { status: 201 } }
  - { operation: listTickets, expect: { status: 200 } }
`;
  // The first is that of the setup itself.
  expect(await verdicts(setup, 409)).toEqual(['refused', 'refused', 'refused', 'inconclusive']);
});
