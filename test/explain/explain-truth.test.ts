import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from 'node:http';
import request from 'supertest';
import { createMockServer, createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import type { MockServer } from '../../src/server/mock-server';
import { explainRequest, type RequestExplanation } from '../../src/explain/explain-request';
import { equalJson } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { examplesOf } from '../../src/payload/content-choice';
import { connections, startAppServer } from '../support/app-server';

// What an explanation says of an operation is held against a mock that is served: every operation of documents of every
// kind is explained, the same request is sent, and so are requests without what it says is needed.

const FOLDER = join(__dirname, '..', 'corpus', 'documents');
const DOCUMENTS = ['petstore', ...readdirSync(FOLDER).map((name) => (/\./.test(name) ? name : `${name}/openapi.yaml`))];

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Sent = Pick<RequestExplanation['sent'], 'method' | 'target' | 'headers' | 'body'>;

async function send(server: Server, { method, target, headers, body }: Sent): Promise<Answer> {
  let sending = new request.Test(server, method, target)
    .agent(connections)
    .redirects(0)
    .buffer(true)
    .parse((response, done) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        done(null, Buffer.concat(parts));
      });
    });
  for (const [name, value] of Object.entries(headers))
    if (!['host', 'content-length'].includes(name)) sending = sending.set(name, String(value));
  const answer = body === '' ? await sending : await sending.serialize((text) => String(text)).send(body);
  return { status: answer.status, text: (answer.body as Buffer).toString() };
}

function without(
  sent: Sent,
  explained: RequestExplanation,
  why: (filled: RequestExplanation['filled'][0]) => boolean,
): Sent {
  const gone = explained.filled.filter(why);
  const headers = Object.fromEntries(
    Object.entries(sent.headers).filter(
      ([name]) => !gone.some((each) => (each.in === 'header' && each.name.toLowerCase() === name) || each.in === name),
    ),
  );
  const [path = '', query = ''] = sent.target.split('?');
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !gone.some((each) => each.in === 'query' && pair.startsWith(`${each.name}=`)));
  const isBodyGone = gone.some((each) => each.in === 'body');
  if (isBodyGone) delete headers['content-type'];
  return {
    method: sent.method,
    target: pairs.length === 0 ? path : `${path}?${pairs.join('&')}`,
    headers,
    body: isBodyGone ? '' : sent.body,
  };
}

function codeOf(app: MockServer): string | undefined {
  return app.journal().at(-1)?.code;
}

describe.each(DOCUMENTS)('what is explained of %s', (name) => {
  let parts: ServerParts;
  let served: MockServer;
  let server: Server;
  const all: RequestExplanation[] = [];

  beforeAll(async () => {
    const options = name === 'petstore' ? {} : { description: join(FOLDER, name) };
    parts = await createServerParts(options, { keepsOrigins: true });
    served = await createMockServer(options);
    server = await startAppServer(served);
    for (const { method, written } of parts.api.operations)
      all.push(await explainRequest(parts, method, written, undefined));
  });

  beforeEach(() => {
    served.reset();
  });

  test('is what is answered: status and body, request for request', async () => {
    for (const explained of all) {
      const { status, text } = await send(server, explained.sent);
      const { answer } = explained;
      expect({ of: explained.request, status, text: still(text) }).toStrictEqual({
        of: explained.request,
        status: answer.status,
        text: still(answer.body),
      });
    }
  });

  test('is a good request and its success', () => {
    for (const { request: of, answer, operation } of all) {
      const refusals = [
        404,
        ...operation.otherAnswers
          .map(({ status }) => Number(status))
          .filter((status) => status === 409 || status === 422),
      ];
      const lawful = answer.from === 'refusal' ? refusals : operation.statuses;
      const { status, refusal } = answer;
      const isLawful = lawful.includes(status);
      expect({ of, status, refusal, isLawful }).toStrictEqual({ of, status, refusal, isLawful: true });
    }
  });

  test('is where the body comes from', () => {
    for (const { request: of, answer, operation } of all) {
      if (answer.from !== operation.source.from)
        expect({ of, from: answer.from }).toStrictEqual({ of, from: 'refusal' });
      const plan = parts.mock.context.plans.all().find((each) => each.operation.id === operation.operation);
      const shown = (plan?.success?.content ?? []).flatMap((entry) => examplesOf(entry));
      const isShown = shown.some(({ value }) => equalJson(jsonOf(answer.body), value));
      if (answer.from === 'example') expect({ of, isShown }).toStrictEqual({ of, isShown: true });
      if (answer.from === 'generated') expect({ of, isShown }).toStrictEqual({ of, isShown: false });
      if (answer.from === 'no-body') expect({ of, body: answer.body }).toStrictEqual({ of, body: '' });
    }
  });

  test('is what a request without something is rejected with', async () => {
    for (const explained of all) {
      const { credentials, parameters, body } = explained.operation.needs;
      const lacking = [
        [credentials?.without, (filled: { why: string }) => filled.why === 'credentials'],
        [
          parameters?.without,
          ({ in: place, why }: { in: string; why: string }) =>
            ['query', 'header', 'cookie'].includes(place) && why !== 'credentials',
        ],
        [body?.without, ({ in: place }: { in: string }) => place === 'body'],
      ] as const;
      for (const [refusal, why] of lacking) {
        const { status } = await send(server, without(explained.sent, explained, why));
        const of = explained.request;
        if (refusal === undefined) expect({ of, isRefused: status === 401 }).toStrictEqual({ of, isRefused: false });
        else
          expect({ of, status, code: codeOf(served) }).toStrictEqual({
            of,
            status: refusal.status,
            code: refusal.code,
          });
      }
    }
  });

  test('is how the other statuses are reached', async () => {
    for (const { sent, request: of, operation } of all) {
      for (const { prefer } of operation.otherAnswers) {
        if (prefer === undefined) continue;
        const { status } = await send(server, {
          ...sent,
          headers: { ...sent.headers, prefer: prefer.replace('Prefer: ', '') },
        });
        expect({ of, status: `Prefer: code=${status}` }).toStrictEqual({ of, status: prefer });
      }
    }
  });
});

/** @returns the text itself where it is no JSON */
function jsonOf(text: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The mock in this process has no port, and answers at another time. */
function still(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now')
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, 'http://here');
}
