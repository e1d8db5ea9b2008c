// Work that would cost time at each start is done at build time:
// - the official JSON Schema of each version of OpenAPI becomes a module (60 ms); that of draft 4, where almost every
//   object has many named members, becomes a second module, which only tells whether a document is valid,
// - the bundled description is checked and kept as JSON under the hash of its source (150 ms),
// - its validators are compiled and kept as a module beside it (a quarter of the start).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { formatSchemas } from './format-schemas.mjs';
import { addKeyedMembers, withKeyedMembers } from './keyed-members.mjs';
import { findLoadedFiles } from './sources.mjs';

const require = createRequire(import.meta.url);
const GENERATED = join('dist', 'generated');
const schemaOf = (version) => require.resolve(`@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`);
const sources = [
  { name: 'openapi-2.0', draft: '04', path: schemaOf('2.0') },
  { name: 'openapi-3.0', draft: '04', path: schemaOf('3.0') },
  { name: 'openapi-3.1', draft: '2020-12', path: schemaOf('3.1') },
  { name: 'openapi-3.2', draft: '2020-12', path: schemaOf('3.2') },
  { name: 'schema-2020-12', draft: '2020-12', path: require.resolve('ajv/dist/refs/json-schema-2020-12/schema.json') },
];

/** Creates dist/generated, and returns a function that writes a file there and notes its path in `outputs`. */
function createWriter(root, outputs) {
  mkdirSync(join(root, GENERATED), { recursive: true });
  return (name, text) => {
    writeFileSync(join(root, GENERATED, name), text);
    outputs.push(join(GENERATED, name));
  };
}

/** A validator of the official JSON Schema of each version of OpenAPI. */
export async function writeOpenApiSchemas(root) {
  const outputs = [];
  const write = createWriter(root, outputs);
  const { default: addFormats } = await import('ajv-formats');
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  for (const { name, draft, path } of sources) {
    const { default: AjvClass } = await import(draft === '04' ? 'ajv-draft-04' : 'ajv/dist/2020.js');
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
    const writeValidator = (suffix, ajv, validate) =>
      write(`${name}${suffix}.js`, `${(standaloneCode.default ?? standaloneCode)(ajv, validate)}\n`);
    const text = readFileSync(path, 'utf8');
    const schema = JSON.parse(text);
    if (draft === '04') {
      const quick = createAjv(false);
      addKeyedMembers(quick);
      writeValidator('.accepts', quick, quick.compile(withKeyedMembers(schema)));
    }
    write(`${name}.schema.json`, text);
    const ajv = createAjv(true);
    // ajv knows the meta-schema already.
    writeValidator('', ajv, ajv.getSchema(schema.$id ?? '') ?? ajv.compile(schema));
  }
  return { outputs };
}

/** The bundled description, checked, with its validators, under the hash of its source. */
export function writeBundledDescription(root) {
  const outputs = [];
  const write = createWriter(root, outputs);
  const modules = ['files/load-description.js', 'files/load-api.js', 'openapi/read/read-source.js'].map((name) =>
    join(root, 'dist', 'src', name),
  );
  modules.push(join(root, 'dist', 'src', 'openapi', 'lint', 'validated-schemas.js'));
  const { loadDescription, compiledPath, validatorsPath, writeCompiledDescription, writeValidators } = Object.assign(
    {},
    ...modules.map((file) => require(file)),
  );
  const description = join('spec', 'petstore.yaml');
  const { api } = loadDescription(join(root, description));
  const text = readFileSync(join(root, description), 'utf8');
  write(basename(compiledPath(text)), writeCompiledDescription(api.document));
  write(basename(validatorsPath(text)), writeValidators(api.document));
  return { inputs: [description, ...modules.flatMap((file) => findLoadedFiles(root, require, file))], outputs };
}

/** The JSON Schema of the configuration file, from the tables of options. */
export function writeConfigSchema(root) {
  const outputs = [];
  const modules = ['options/config-keys.js', 'registry.js'].map((name) => join(root, 'dist', 'src', 'cli', name));
  const [{ configSchema }, { COMMANDS }] = modules.map((file) => require(file));
  createWriter(root, outputs)('config.schema.json', `${JSON.stringify(configSchema(COMMANDS), null, 2)}\n`);
  return { inputs: modules.flatMap((file) => findLoadedFiles(root, require, file)), outputs };
}

/** A validator of each published schema of a file format, with the formats by which descriptions are checked. */
export async function writeFormatSchemas(root) {
  const outputs = [];
  const write = createWriter(root, outputs);
  const formats = join(root, 'dist', 'src', 'schema', 'formats.js');
  const { FORMATS } = require(formats);
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
      // Errors hold the schema that they are about: a schema behind a $ref has no path from the root.
      verbose: true,
      code: { source: true, formats: _`require("../src/schema/formats").FORMATS` },
    });
    for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
    write(file, text);
    write(
      file.replace('.schema.json', '.js'),
      `${(standaloneCode.default ?? standaloneCode)(ajv, ajv.compile(schema))}\n`,
    );
  }
  return { inputs: findLoadedFiles(root, require, formats), outputs };
}
