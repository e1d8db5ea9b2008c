import { Duplex } from 'node:stream';
import { skipContinue } from '../../src/network/connections';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\n\r\n';

/** Reads chunk by chunk, as they were sent; `>` stands for a request that is written. */
function readAll(...chunks: string[]): string[] {
  const stream = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  skipContinue(stream);
  return chunks.map((chunk) => {
    if (chunk === '>') {
      stream.write('GET / HTTP/1.1\r\n\r\n');
      return '>';
    }
    stream.push(chunk);
    return (stream.read() as Buffer | null)?.toString() ?? '';
  });
}

test.each<{ what: string; chunks: string[]; read: string[] }>([
  { what: 'nothing where there is none', chunks: ['>', OK, 'body'], read: ['>', OK, 'body'] },
  { what: 'one of its own', chunks: ['>', CONTINUE, OK], read: ['>', '', OK] },
  { what: 'one in the same chunk', chunks: ['>', `${CONTINUE}${CONTINUE}${OK}`], read: ['>', OK] },
  {
    what: 'one in pieces',
    chunks: ['>', 'HTTP/1.1 1', '00 X\r\nA: b\r\n', '\r\nHT', `TP/1.1 200 `],
    read: ['>', '', '', '', 'HTTP/1.1 200 '],
  },
  { what: 'none of HTTP/1.1 1000', chunks: ['>', 'HTTP/1.1 1000 '], read: ['>', 'HTTP/1.1 1000 '] },
  { what: 'no other interim answer', chunks: ['>', 'HTTP/1.1 103 X\r\n\r\n'], read: ['>', 'HTTP/1.1 103 X\r\n\r\n'] },
  { what: 'none that stands in a body', chunks: ['>', OK, CONTINUE], read: ['>', OK, CONTINUE] },
  { what: 'none before anything is asked', chunks: [CONTINUE], read: [CONTINUE] },
  { what: 'one before each answer', chunks: ['>', CONTINUE, OK, '>', CONTINUE, OK], read: ['>', '', OK, '>', '', OK] },
  {
    what: 'no head without an end',
    chunks: ['>', CONTINUE.slice(0, 20), 'a'.repeat(20_000)],
    read: ['>', '', `${CONTINUE.slice(0, 20)}${'a'.repeat(20_000)}`],
  },
])('of 100 Continue it takes out $what', ({ chunks, read }) => {
  expect(readAll(...chunks)).toEqual(read);
});
