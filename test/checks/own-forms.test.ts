import { ownForm } from '../../src/checks/matchers/own-forms';

const SET = 'is set by the service';
const NORMALIZED = 'is kept in a form of the service';

test.each([
  { name: 'color', sent: 'slate', got: 'SLATE', form: NORMALIZED },
  { name: 'code', sent: ' ab ', got: 'ab', form: NORMALIZED },
  { name: 'price', sent: 10.256, got: 10.26, form: NORMALIZED },
  { name: 'price', sent: 10.256, got: 10, form: NORMALIZED },
  { name: 'tags', sent: ['b', 'a', 'b'], got: ['a', 'b'], form: NORMALIZED },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2030-01-01 00:00:00 +0000 UTC', form: NORMALIZED },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2030-01-01 02:00:00+02:00', form: NORMALIZED },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2030-01-01T02:00:00+02:00', form: NORMALIZED },
  { name: 'updatedAt', sent: '2030-01-01T00:00:00Z', got: '2026-11-29 10:00:00 UTC', form: SET },
  { name: 'updatedAt', sent: '2030-01-01T00:00:00Z', got: '2026-11-29T10:00:00Z', form: SET },
  { name: 'last_modified', sent: 'no date', got: '2026-11-29T10:00:00Z', form: SET },
  { name: 'viewCount', sent: 7, got: 0, form: SET },
  // These are other values.
  { name: 'title', sent: 'Slate', got: 'SLATE', form: undefined },
  { name: 'color', sent: 'slate', got: 'grey', form: undefined },
  { name: 'price', sent: 10, got: 11, form: undefined },
  { name: 'price', sent: 10.25, got: 11.25, form: undefined },
  { name: 'tags', sent: ['a', 'b'], got: ['a'], form: undefined },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2026-11-29T10:00:00Z', form: undefined },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2026-11-29 10:00:00 UTC', form: undefined },
  { name: 'startsAt', sent: '2030-01-01T00:00:00Z', got: '2030-01-01 00:00:00', form: undefined },
  { name: 'color', sent: 'slate', got: undefined, form: undefined },
])('$name: $sent that comes back as $got', ({ name, sent, got, form }) => {
  expect(ownForm(name, sent, got)).toBe(form);
});
