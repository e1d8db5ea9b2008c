import { oasVersionOf } from '../../src/openapi/read/source-document';

test.each([
  { openapi: '3.0.0', want: '3.0' },
  { openapi: '3.0.99', want: '3.0' },
  { openapi: '3.1.1', want: '3.1' },
  { openapi: '3.2.0', want: '3.2' },
  { openapi: undefined, want: '3.0' },
])('the document that says openapi $openapi is written for $want', ({ openapi, want }) => {
  expect(oasVersionOf({ root: openapi === undefined ? {} : { openapi } })).toBe(want);
});
