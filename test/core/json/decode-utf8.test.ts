import fc from 'fast-check';
import { decodeUtf8 } from '../../../src/core/json/parse-json';
import { JsonSyntaxError } from '../../../src/core/json/json-syntax-error';

function errorOf(bytes: readonly number[]): JsonSyntaxError {
  try {
    decodeUtf8(Uint8Array.from(bytes));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('accepted');
}

const bytesOf = (text: string): number[] => [...Buffer.from(text)];

describe('decodeUtf8', () => {
  it.each(['', 'plain', 'Zürich', '東京', '😀', '\u0000', '\uFFFD', 'a'.repeat(5000)])('decodes %j', (text) => {
    expect(decodeUtf8(Buffer.from(text))).toBe(text);
    expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
  });

  it('decodes a view of a larger buffer', () => {
    expect(decodeUtf8(new TextEncoder().encode('abcdef').subarray(2, 4))).toBe('cd');
  });

  it('keeps a byte order mark, so that nothing of the bytes is lost', () => {
    expect(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x31]))).toBe('\uFEFF1');
  });

  it.each<[string, number[], number]>([
    ['a byte that starts nothing', [0x61, 0xff], 1],
    ['a stray continuation byte', [0x80], 0],
    ['a sequence cut short by the end', [...bytesOf('aé'), 0xe2, 0x82], 3],
    ['a sequence cut short by another character', [0x61, 0xe2, 0x82, 0x61], 1],
    ['an overlong form', [...bytesOf('東'), 0xc0, 0xaf], 3],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a code point past U+10FFFF', [...bytesOf('😀'), 0xf4, 0x90, 0x80, 0x80], 4],
    ['a bad byte after genuine replacement characters', [...bytesOf('\uFFFDa\uFFFD\uFFFD'), 0xff], 10],
    ['Latin-1', [...bytesOf('{"city":"Z'), 0xfc, ...bytesOf('rich"}')], 10],
  ])('rejects %s with its byte offset', (_, bytes, offset) => {
    expect(errorOf(bytes)).toMatchObject({ kind: 'encoding', offset, pointer: '' });
  });

  it('says where in the text the bad byte is', () => {
    const error = errorOf([...bytesOf('\uFEFF{\n  "é": "'), 0xff, ...bytesOf('"}')]);
    expect(error).toMatchObject({ offset: 14, line: 2, column: 9 });
    expect(error.message).toBe('Invalid UTF-8 at byte 14 (0xFF), line 2, column 9: expected UTF-8 text');
  });

  it('decodes whatever was encoded, and finds the first bad byte after any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(0x80, 0xc0, 0xf8, 0xff), (text, bad) => {
        const bytes = bytesOf(text);
        return decodeUtf8(Uint8Array.from(bytes)) === text && errorOf([...bytes, bad]).offset === bytes.length;
      }),
    );
  });
});
