import { Journal } from '../../../src/mock/sandbox/journal';
import { type RequestCounter, textOf } from '../../../src/mock/sandbox/journal-entry';
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
  const [entry] = journalOf([{ target: '/', answer: `x${'🐢'.repeat(8000)}` }]).entries();
  expect(entry?.responseBody).toBe(`x${'🐢'.repeat(4095)}`);
});

test('of many long texts the latest stay whole, and the oldest are gone', () => {
  const requests = Array.from({ length: 1500 }, (_, index) => ({
    target: `/${index}`,
    body: String(index % 10).repeat(9000),
    answer: String((index + 1) % 10).repeat(index % 5000),
  }));
  const entries = journalOf(requests).entries();
  expect(entries.length).toBeGreaterThan(400);
  expect(entries.length).toBeLessThan(1000);
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => 1500 - entries.length + index + 1));
  for (const { target, requestBody, responseBody } of entries) {
    const index = Number(target.slice(1));
    expect(requestBody).toBe(String(index % 10).repeat(9000));
    expect(responseBody).toBe(String((index + 1) % 10).repeat(index % 5000));
  }
});

test('a head longer than any server lets in is cut', () => {
  const journal = new Journal();
  journal.add(headOf('/', ['X', 'y'.repeat(5_000_000)]), undefined, undefined, answer('ok'), undefined, [], 0);
  const [entry] = journal.entries();
  expect(entry?.requestHeaders[1]?.length).toBeLessThan(70_000);
  expect(entry?.responseBody).toBe('ok');
});

describe('of each request it is known', () => {
  const SMALL = { entries: 3, textBytes: 128 * 1024, bodyBytes: 16 };

  function add(journal: Journal, body: string | Uint8Array, answerBody: HttpResponse['body']): void {
    const response = { ...answer(answerBody), headers: ['X-Kind', 'small'] };
    const sent = typeof body === 'string' ? encode(body) : body;
    journal.add(headOf('/'), sent, 'shout', response, undefined, [], 0);
  }

  test('how long its bodies were, and whether they are cut', () => {
    const journal = new Journal(SMALL);
    add(journal, '12345678901234567', 'é'.repeat(9));
    add(journal, 'short', undefined);
    const [long, short] = journal.remembered().map((number) => journal.requestOf(number));
    expect(long?.requestBody).toEqual({ bytes: Buffer.from('1234567890123456'), size: 17, isUnread: false });
    expect(long?.responseBody).toEqual({ bytes: Buffer.from('é'.repeat(8)), size: 18, isUnread: false });
    expect(short?.requestBody).toEqual({ bytes: Buffer.from('short'), size: 5, isUnread: false });
    expect(short?.responseBody).toEqual({ bytes: Buffer.alloc(0), size: 0, isUnread: false });
    expect(long?.responseHeaders).toEqual(['X-Kind', 'small']);
    journal.add(headOf('/'), undefined, undefined, answer('early'), undefined, [], 0);
    expect(journal.requestOf(3).requestBody).toEqual({ bytes: Buffer.alloc(0), size: 0, isUnread: true });
  });

  test('its place among those of all journals, also where it was moved to another one', () => {
    const counter: RequestCounter = { last: 0 };
    const [one, other] = [new Journal(SMALL, undefined, counter), new Journal(SMALL, undefined, counter)];
    add(one, 'first', 'a');
    add(other, 'second', 'b');
    add(one, '1'.repeat(20), '2'.repeat(20));
    other.put(one.requestOf(2));
    expect(other.remembered().map((number) => other.seqOf(number))).toEqual([2, 3]);
    expect(other.remembered(2)).toEqual([2]);
    expect(other.requestOf(2)).toEqual({ ...one.requestOf(2), entry: { ...one.requestOf(2).entry, number: 2 } });
    expect(other.requestOf(2).requestBody.size).toBe(20);
    one.clear();
    add(one, 'later', 'c');
    expect(one.remembered().map((number) => one.seqOf(number))).toEqual([4]);
  });

  test('the newest, when there are more than it remembers', () => {
    const journal = new Journal(SMALL);
    for (let index = 0; index < 5; index++) add(journal, String(index), 'ok');
    expect(journal.remembered()).toEqual([3, 4, 5]);
    expect(journal.remembered(4)).toEqual([5]);
    expect(journal.forgotten).toBe(2);
  });
});

test.each([
  { bytes: Buffer.from('żółw'), size: 7, text: 'żółw' },
  { bytes: Buffer.from('żółw').subarray(0, 6), size: 7, text: 'żół' },
  { bytes: Buffer.from([0xff, 0xd8, 0xff]), size: 3, text: undefined },
  { bytes: Buffer.from([0x50, 0x4b, 0, 0]), size: 4, text: undefined },
  { bytes: Buffer.from('żółw').subarray(0, 1), size: 1, text: undefined },
  { bytes: Buffer.alloc(0), size: 0, text: undefined },
])('the text of $bytes of $size is $text', ({ bytes, size, text }) => {
  expect(textOf({ bytes, size })).toBe(text);
});
