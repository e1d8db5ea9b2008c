import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadApi, validatorsPath } from '../../src/files/load-api';
import { BUNDLED, PACKAGE_ROOT } from '../../src/files/file-access';
import { validatorModuleText, precompiledValidators, type ValidatorModule } from '../../src/schema/validator';
import { parseJson } from '../../src/core/json/parse-json';
import { validatedSchemas } from '../../src/openapi/lint/validated-schemas';
import { readSource } from '../../src/openapi/read/read-source';
import { SchemaRegistry } from '../../src/openapi/schemas/schema-registry';
import { visitedObjects } from '../../src/openapi/read/object-grammar';

/** What a schema says of values when it is compiled, and when it was compiled before and written down. */
function both(schema: string): (value: string) => unknown[] {
  const document = readSource(
    `{ "openapi": "3.0.3", "components": { "schemas": { "A": ${schema}, "B": { "type": "string" } } } }`,
    'openapi.json',
  );
  const code = new SchemaRegistry(document, { writesCode: true }).codeOf(
    validatedSchemas(document, visitedObjects(document)),
  );
  const module = { exports: undefined as unknown as ValidatorModule };
  // oxlint-disable-next-line typescript/no-implied-eval -- what the build writes and Node loads
  new Function('module', 'require', validatorModuleText(code))(module, require);
  const ready = precompiledValidators(module.exports).get('response /components/schemas/A')!;
  const compiled = new SchemaRegistry(document).validator('/components/schemas/A', 'response');
  return (value) => [ready(parseJson(value)), compiled(parseJson(value))];
}

const MANY = Array.from({ length: 20 }, (_, index) => `m${index}`);
const CASES: readonly { readonly schema: string; readonly values: readonly string[] }[] = [
  {
    schema: '{ "type": "integer", "format": "int64", "minimum": 9007199254740993 }',
    values: ['9007199254740992', '9007199254740993', '1.0', '"1"', 'null', '9223372036854775808'],
  },
  {
    schema: '{ "type": "number", "multipleOf": 0.1, "enum": [0.1, 1e400, 0.30] }',
    values: ['0.1', '0.3', '10e399', '0.35'],
  },
  {
    schema: `{ "type": "object", "additionalProperties": false, "required": ${JSON.stringify(MANY)}, "properties": { ${MANY.map((name) => `"${name}": { "$ref": "#/components/schemas/B" }`).join(', ')} } }`,
    values: ['{}', `{ ${MANY.map((name) => `"${name}": "a"`).join(', ')} }`, '{ "m0": 1, "x": 2 }'],
  },
  {
    schema: '{ "type": "string", "format": "date-time", "maxLength": 25, "pattern": "^2" }',
    values: ['"2025-01-01T00:00:00Z"', '"2025-13-01T00:00:00Z"', '"1"', '"2025-01-01T00:00:00.000000Z"'],
  },
  {
    schema:
      '{ "oneOf": [{ "type": "array", "items": { "type": "integer" }, "uniqueItems": true }, { "type": "string", "format": "uuid" }], "nullable": true }',
    values: ['[1, 1.0]', '[1, 2]', '"x"', 'null', '"6f1a1f5e-0b3c-4d56-9f43-0a4e8b7b1a11"', '{}'],
  },
  { schema: '{ "type": "string", "format": "email", "minLength": 3 }', values: ['"a@b.example"', '"a"', '"😀"'] },
  { schema: '{ "type": "string", "pattern": "^(a+)+$" }', values: ['"aaa"', '"aab"'] },
];

test.each(CASES)('a validator that was written down says what a compiled one says: $schema', ({ schema, values }) => {
  const judge = both(schema);
  for (const value of values) {
    const [ready, compiled] = judge(value);
    expect({ value, said: ready }).toEqual({ value, said: compiled });
  }
});

test('the build wrote one for everything that the bundled description judges', () => {
  const { api } = loadApi();
  const path = validatorsPath(readFileSync(BUNDLED.description, 'utf8'));
  // oxlint-disable-next-line typescript/no-require-imports -- what the build wrote
  const names = [...precompiledValidators(require(path) as ValidatorModule).keys()].sort();
  const places = validatedSchemas(api.document, visitedObjects(api.document));
  const wanted = places.flatMap(({ schema, directions }) => directions.map((way) => `${way} ${schema.pointer}`));
  expect(names).toEqual(wanted.sort());
});

test('the bundled description is served without loading ajv and yaml', () => {
  const script = `
    const { createMockServer } = require('./dist/src/express');
    createMockServer().then(async (app) => {
      const server = app.listen(0);
      const answer = await fetch('http://127.0.0.1:' + server.address().port + '/pets', { headers: { authorization: 'Bearer test-key' } });
      const late = Object.keys(require.cache).filter((file) => /node_modules.(ajv.dist.(core|compile)|yaml.dist)/.test(file));
      console.log(JSON.stringify([answer.status, late]));
      server.close();
      server.closeAllConnections();
    });`;
  const output = execFileSync(process.execPath, ['-e', script], { cwd: join(PACKAGE_ROOT), encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([200, []]);
});
