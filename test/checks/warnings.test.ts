import { Warnings } from '../../src/checks/request/warnings';

test('are kept in their order, each once, and not without end', () => {
  const warnings = new Warnings(false);
  expect(warnings.all).toEqual([]);
  for (let index = 0; index < 100; index++) warnings.add('left_out', `/m${index % 30}`);
  expect(warnings.all.slice(0, 2)).toEqual([
    { code: 'left_out', message: '/m0' },
    { code: 'left_out', message: '/m1' },
  ]);
  // What is left out is not left out in silence.
  expect(warnings.all).toHaveLength(21);
  expect(warnings.all.at(-1)).toEqual({
    code: 'more_warnings',
    message: 'There were more than 20 warnings of this request',
  });
});

test('a lenient reading is told, and refused where strict handling is asked for', () => {
  const kind = new Warnings(false);
  expect(kind.allows('post_for_get', '/things.list')).toBe(true);
  expect(kind.all).toEqual([
    {
      code: 'post_for_get',
      message: '/things.list is documented as GET; the properties of the body were taken for its parameters',
    },
  ]);
  const strict = new Warnings(true);
  expect(strict.allows('post_for_get', '/things.list')).toBe(false);
  expect(strict.all).toEqual([]);
});

test('say which values of a body they are about', () => {
  const warnings = new Warnings(false);
  expect(warnings.concern('/a')).toBe(false);
  warnings.add('invalid_result', 'why', ['/a/b', '/ab']);
  expect(['/a', '/a/b', '/ab'].map((pointer) => warnings.concern(pointer))).toEqual([true, true, true]);
  expect(['/b', '/a/b/c', '/abc', ''].map((pointer) => warnings.concern(pointer))).toEqual([false, false, false, true]);
});
