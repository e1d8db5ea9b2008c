import { Journal } from '../../../src/mock/sandbox/journal';
import type { HttpResponse, RequestHead } from '../../../src/core/http/message';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function headOf(target: string, rawHeaders: readonly string[] = ['Host', 'localhost']): RequestHead {
  return { method: 'POST', target, headers: {}, rawHeaders };
}

function answer(body: HttpResponse['body'], status = 200): HttpResponse {
  return { status, headers: [], body };
}

function journalOf(requests: readonly { target: string; body?: string; answer: HttpResponse['body'] }[]): Journal {
  const journal = new Journal();
  for (const { target, body, answer: text } of requests) {
    const sent = body === undefined ? undefined : encode(body);
    journal.add(headOf(target), sent, 'shout', answer(text), undefined, [], 0);
  }
  return journal;
}

test('gives back what it was given, whatever the characters', () => {
  const [entry] = journalOf([{ target: '/é', body: '{"a":"żółw 🐢"}', answer: encode('"🐢"') }]).entries();
  expect(entry).toMatchObject({ target: '/é', requestBody: '{"a":"żółw 🐢"}', responseBody: '"🐢"', status: 200 });
  expect(entry?.requestHeaders).toEqual(['Host', 'localhost']);
});

test('cuts the text of a long answer at a whole character', () => {
  const [entry] = journalOf([{ target: '/', answer: `x${'🐢'.repeat(2000)}` }]).entries();
  expect(entry?.responseBody).toBe(`x${'🐢'.repeat(1023)}`);
});

test('of many long texts the latest stay whole, and the oldest are gone', () => {
  const requests = Array.from({ length: 1500 }, (_, index) => ({
    target: `/${index}`,
    body: String(index % 10).repeat(5000),
    answer: String((index + 1) % 10).repeat(index % 5000),
  }));
  const entries = journalOf(requests).entries();
  expect(entries.length).toBeGreaterThan(400);
  expect(entries.length).toBeLessThan(1000);
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => 1500 - entries.length + index + 1));
  for (const { target, requestBody, responseBody } of entries) {
    const index = Number(target.slice(1));
    expect(requestBody).toBe(String(index % 10).repeat(4096));
    expect(responseBody).toBe(String((index + 1) % 10).repeat(Math.min(index % 5000, 4096)));
  }
});

test('a head longer than any server lets in is cut', () => {
  const journal = new Journal();
  journal.add(headOf('/', ['X', 'y'.repeat(5_000_000)]), undefined, undefined, answer('ok'), undefined, [], 0);
  const [entry] = journal.entries();
  expect(entry?.requestHeaders[1]?.length).toBeLessThan(70_000);
  expect(entry?.responseBody).toBe('ok');
});
