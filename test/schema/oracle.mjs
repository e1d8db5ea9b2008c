// Reads cases from stdin, `[{ schema, values }]`, and writes what another implementation of JSON Schema 2020-12 says of
// each value: `[[true, false], …]`, or the message of what it cannot compile.
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const cases = JSON.parse(Buffer.concat(chunks).toString('utf8'));

const verdicts = [];
for (const [index, { schema, values }] of cases.entries()) {
  const uri = `https://oracle.example/${index}`;
  registerSchema(schema, uri, DIALECT);
  try {
    const judge = await validate(uri);
    verdicts.push(values.map((value) => judge(value).valid));
  } catch (error) {
    verdicts.push(String(error.message));
  }
  unregisterSchema(uri);
}
process.stdout.write(JSON.stringify(verdicts));
