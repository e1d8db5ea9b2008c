import fc from 'fast-check';

/**
 * Any character that UTF-8 can hold: the same ones as of the unit `binary`. To make that unit, fast-check writes down all
 * of them, which takes a second and more in each worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - 0x800)
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800), indexOfCharacter);

function indexOfCharacter(text: unknown): number {
  const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (code === undefined || text !== String.fromCodePoint(code) || (code >= 0xd800 && code < 0xe000))
    throw new Error('This is not one character');
  return code < 0xd800 ? code : code - 0x800;
}
