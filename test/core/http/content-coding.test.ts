import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeContent } from '../../../src/core/http/content-coding';
import { anyCharacter } from '../../support/any-character';

const text = Buffer.from('{"name":"Rex"}');
const limit = 1024;

test.each([
  { coding: 'gzip', body: gzipSync(text) },
  { coding: 'x-gzip', body: gzipSync(text) },
  { coding: 'GZip', body: gzipSync(text) },
  { coding: 'deflate', body: deflateSync(text) },
  { coding: 'br', body: brotliCompressSync(text) },
  { coding: 'identity', body: text },
  { coding: '', body: text },
  { coding: ' , gzip ,', body: gzipSync(text) },
  { coding: 'br, gzip', body: gzipSync(brotliCompressSync(text)) },
  { coding: 'gzip,identity,deflate', body: deflateSync(gzipSync(text)) },
])('"$coding" is undone', ({ coding, body }) => {
  const decoded = decodeContent(body, coding, limit);
  expect(decoded.kind === 'decoded' && Buffer.from(decoded.body).toString()).toBe(text.toString());
});

test.each([
  { header: 'zstd', coding: 'zstd' },
  { header: 'Compress', coding: 'compress' },
  { header: 'gzip, unknown', coding: 'unknown' },
  { header: 'gzip br', coding: 'gzip br' },
  { header: '__proto__', coding: '__proto__' },
  { header: 'gzip, gzip, gzip, gzip, gzip', coding: 'gzip, gzip, gzip, gzip, gzip' },
])('"$header" is an unknown coding', ({ header, coding }) => {
  expect(decodeContent(gzipSync(text), header, limit)).toEqual({ kind: 'unknown-coding', coding });
});

test.each([
  { header: 'gzip', body: gzipSync(text).subarray(0, 20), coding: 'gzip' },
  { header: 'gzip', body: text, coding: 'gzip' },
  { header: 'deflate', body: text, coding: 'deflate' },
  { header: 'deflate', body: deflateRawSync(text), coding: 'deflate' },
  { header: 'br', body: brotliCompressSync(text).subarray(0, 5), coding: 'br' },
  { header: 'gzip, br', body: brotliCompressSync(text), coding: 'gzip' },
])('a body that is not "$header" is corrupt', ({ header, body, coding }) => {
  expect(decodeContent(body, header, limit)).toEqual({ kind: 'corrupt', coding });
});

test.each([
  { coding: 'gzip', encode: gzipSync },
  { coding: 'deflate', encode: deflateSync },
  { coding: 'br', encode: brotliCompressSync },
  { coding: 'identity', encode: (body: Buffer): Buffer => body },
])('$coding may give as many bytes as the limit and not one more', ({ coding, encode }) => {
  expect(decodeContent(encode(Buffer.alloc(100)), coding, 100).kind).toBe('decoded');
  expect(decodeContent(encode(Buffer.alloc(101)), coding, 100)).toEqual({ kind: 'too-large' });
  expect(decodeContent(encode(Buffer.alloc(1)), coding, 0)).toEqual({ kind: 'too-large' });
});

test('a bomb stops at the limit', () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(20_000_000)));
  expect(decodeContent(bomb, 'gzip, gzip', 100_000)).toEqual({ kind: 'too-large' });
});

test('an empty body stays empty', () => {
  expect(decodeContent(new Uint8Array(), 'gzip', limit)).toEqual({ kind: 'decoded', body: new Uint8Array() });
});

test('no body and no header make it throw', () => {
  const header = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('gzip', 'deflate', 'br', 'br, gzip'));
  fc.assert(
    fc.property(fc.uint8Array(), header, (body, coding) => {
      decodeContent(body, coding, 100);
    }),
  );
});
