import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readTokens } from '../../src/formats/tokens';
import { readSource } from '../../src/openapi/read/read-source';

const schema = JSON.parse(readFileSync(resolve(__dirname, '../../docs/tokens.schema.json'), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
const validate = ajv.compile(schema);

test.each([
  ['{}', true],
  ['{ a: { key: x } }', true],
  ['{ a: { key: x, scopes: ["*", a:b], principal: Ann, expires: "2031-01-01T00:00:00Z" } }', true],
  ['{ a: { username: x, password: "" } }', true],
  ['{ a: { username: x } }', false],
  ['{ a: { key: x, username: y, password: z } }', false],
  ['{ a: {} }', false],
  ['{ a: { key: "x y" } }', false],
  ['{ a: { key: 7 } }', false],
  ['{ a: { key: x, scopes: all } }', false],
  ['{ a: { key: x, scopes: ["a b"] } }', false],
  ['{ a: { key: x, expires: tomorrow } }', false],
  ['{ a: { key: x, scope: [] } }', false],
  ['[]', false],
])('the schema and the reader agree on %s: %s', (tokens, isGood) => {
  const text = `standin: tokens/1\ntokens: ${tokens}`;
  const findings: SourceFinding[] = [];
  readTokens(readSource(text, 'tokens.yaml'), findings);
  expect(findings.length === 0).toBe(isGood);
  expect(validate(parse(text))).toBe(isGood);
});
