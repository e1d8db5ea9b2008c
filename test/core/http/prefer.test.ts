import fc from 'fast-check';
import { parsePrefer } from '../../../src/core/http/header-fields';

test.each([
  { value: undefined, want: {} },
  { value: '', want: {} },
  { value: ' , ', want: {} },
  { value: 'return=minimal', want: { return: 'minimal' } },
  { value: 'Return=Minimal', want: { return: 'Minimal' } },
  { value: 'return="minimal"', want: { return: 'minimal' } },
  { value: 'respond-async', want: { 'respond-async': '' } },
  { value: 'foo=""', want: { foo: '' } },
  { value: 'return = minimal', want: { return: 'minimal' } },
  { value: 'return=minimal, handling=strict', want: { return: 'minimal', handling: 'strict' } },
  { value: 'return=minimal,,handling=strict,', want: { return: 'minimal', handling: 'strict' } },
  { value: 'return=minimal, return=representation', want: { return: 'minimal' } },
  { value: 'return=minimal, RETURN=representation', want: { return: 'minimal' } },
  { value: 'respond-async, wait=100; foo="a,b"; bar', want: { 'respond-async': '', wait: '100' } },
  { value: 'return=minimal;foo=1 , wait=1', want: { return: 'minimal', wait: '1' } },
  { value: 'foo; ;return=minimal', want: { foo: '' } },
  { value: 'example="a, b; \\"c\\""', want: { example: 'a, b; "c"' } },
  { value: 'code=404, example=notFound, dynamic=true', want: { code: '404', example: 'notFound', dynamic: 'true' } },
  { value: '__proto__=1', want: Object.fromEntries([['__proto__', '1']]) },
])('$value gives $want', ({ value, want }) => {
  expect([...parsePrefer(value)]).toEqual(Object.entries(want));
});

test.each([
  { value: 'return=, handling=strict', want: ['handling'] },
  { value: '=minimal, handling=strict', want: ['handling'] },
  { value: 'return minimal, handling=strict', want: ['handling'] },
  { value: 'return=<minimal>, handling=strict', want: ['handling'] },
  { value: 'return="minimal, handling=strict', want: ['handling'] },
  { value: 'return=minimal; foo=, handling=strict', want: ['handling'] },
  { value: 'a=1, "b"', want: ['a'] },
  { value: '@', want: [] },
])('the broken element of $value is passed over', ({ value, want }) => {
  expect([...parsePrefer(value).keys()]).toEqual(want);
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', '=', ';', ',', '"', '\\', ' ', '\0', '\u00e9', '\u{1F436}')),
      (pieces) => {
        parsePrefer(pieces.join(''));
      },
    ),
  );
});
