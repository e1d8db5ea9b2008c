// What would cost time at each start is done once, at build time:
// - the official JSON Schema of each version of OpenAPI becomes a module (60 ms); that of draft 4, in which nearly every
//   object has members of many names, becomes another one as well, which only tells whether a document is valid,
// - the bundled description is judged, and kept as JSON under the hash of its source (150 ms),
// - its validators are compiled, and kept as a module beside it (a quarter of the start).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSchemas } from './format-schemas.mjs';
import { addKeyedMembers, withKeyedMembers } from './keyed-members.mjs';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const keyed = join(root, 'scripts', 'keyed-members.mjs');
const outDir = join(root, 'dist', 'generated');
const schemaOf = (version) => require.resolve(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`);
const sources = [
  { name: 'openapi-2.0', draft: '04', path: schemaOf('2.0') },
  { name: 'openapi-3.0', draft: '04', path: schemaOf('3.0') },
  { name: 'openapi-3.1', draft: '2020-12', path: schemaOf('3.1') },
  { name: 'openapi-3.2', draft: '2020-12', path: schemaOf('3.2') },
  { name: 'schema-2020-12', draft: '2020-12', path: require.resolve('ajv/dist/refs/json-schema-2020-12/schema.json') },
];

mkdirSync(outDir, { recursive: true });
for (const { name, draft, path } of sources) {
  const text = readFileSync(path, 'utf8');
  const stamp = createHash('sha256')
    .update(text)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(keyed))
    .digest('hex');
  const modulePath = join(outDir, `${name}.js`);
  if (existsSync(modulePath) && readFileSync(modulePath, 'utf8').includes(stamp)) continue;

  const { default: AjvClass } = await import(draft === '04' ? 'ajv-draft-04' : 'ajv/dist/2020.js');
  const { default: addFormats } = await import('ajv-formats');
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const Ajv = AjvClass.default ?? AjvClass;
  const createAjv = (allErrors) => {
    const ajv = new Ajv({
      strict: false,
      allErrors,
      validateFormats: true,
      logger: false,
      code: { source: true, esm: false },
    });
    (addFormats.default ?? addFormats)(ajv);
    return ajv.addFormat('media-range', true);
  };
  const write = (suffix, ajv, validate) => {
    const code = (standaloneCode.default ?? standaloneCode)(ajv, validate);
    writeFileSync(join(outDir, `${name}${suffix}.js`), `// ${stamp}\n${code}\n`);
  };
  const schema = JSON.parse(text);
  if (draft === '04') {
    const quick = createAjv(false);
    addKeyedMembers(quick);
    write('.accepts', quick, quick.compile(withKeyedMembers(schema)));
  }
  writeFileSync(join(outDir, `${name}.schema.json`), text);
  const ajv = createAjv(true);
  // ajv knows the meta-schema already.
  write('', ajv, ajv.getSchema(schema.$id ?? '') ?? ajv.compile(schema));
}

const { loadDescription } = require(join(root, 'dist/src/files/load-description.js'));
const { compiledPath, validatorsPath } = require(join(root, 'dist/src/files/load-api.js'));
const { writeCompiledDescription } = require(join(root, 'dist/src/openapi/read/read-source.js'));
const { writeValidators } = require(join(root, 'dist/src/openapi/lint/validated-schemas.js'));
for (const name of readdirSync(outDir)) if (name.startsWith('description-')) rmSync(join(outDir, name));
const description = join(root, 'spec', 'petstore.yaml');
const { api } = loadDescription(description);
const text = readFileSync(description, 'utf8');
writeFileSync(compiledPath(text), writeCompiledDescription(api.document));
writeFileSync(validatorsPath(text), writeValidators(api.document));

// The JSON Schema of the configuration file is made from the tables of options.
{
  const { configSchema } = require(join(root, 'dist', 'src', 'cli', 'options', 'config-keys.js'));
  const { COMMANDS } = require(join(root, 'dist', 'src', 'cli', 'registry.js'));
  const schema = configSchema(COMMANDS);
  writeFileSync(join(outDir, 'config.schema.json'), `${JSON.stringify(schema, null, 2)}\n`);
}

// The formats that people write: a validator of each published schema, with the formats that descriptions are checked by.
{
  const { FORMATS } = require(join(root, 'dist', 'src', 'schema', 'formats.js'));
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { _, Ajv } = await import('ajv');
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  for (const path of formatSchemas) {
    const file = basename(path);
    const text = readFileSync(join(root, path), 'utf8');
    const schema = JSON.parse(text);
    const ajv = new (schema.$schema.includes('draft-07') ? Ajv : Ajv2020)({
      strict: false,
      allErrors: true,
      ownProperties: true,
      validateSchema: false,
      messages: false,
      // Errors hold the schema that they are about: what stands behind a $ref has no path from the root.
      verbose: true,
      code: { source: true, formats: _`require("../src/schema/formats").FORMATS` },
    });
    for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
    const code = (standaloneCode.default ?? standaloneCode)(ajv, ajv.compile(schema));
    writeFileSync(join(outDir, file), text);
    writeFileSync(join(outDir, file.replace('.schema.json', '.js')), `${code}\n`);
  }
}
