// What would cost time at each start is done once, at build time:
// - the official JSON Schema of OpenAPI becomes a module (60 ms),
// - the bundled description is judged, and kept as JSON under the hash of its source (150 ms).
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const outDir = join(root, 'dist', 'generated');
const sources = [
  { version: '3.0', path: require.resolve('@seriousme/openapi-schema-validator/schemas/v3.0/schema.json') },
];

mkdirSync(outDir, { recursive: true });
for (const { version, path } of sources) {
  const text = readFileSync(path, 'utf8');
  const stamp = createHash('sha256')
    .update(text)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  const modulePath = join(outDir, `openapi-${version}.js`);
  if (existsSync(modulePath) && readFileSync(modulePath, 'utf8').includes(stamp)) continue;

  const { default: AjvDraft04 } = await import('ajv-draft-04');
  const { default: addFormats } = await import('ajv-formats');
  const { default: standaloneCode } = await import('ajv/dist/standalone/index.js');
  const Ajv = AjvDraft04.default ?? AjvDraft04;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true, code: { source: true, esm: false } });
  (addFormats.default ?? addFormats)(ajv);
  const validate = ajv.compile(JSON.parse(text));
  const code = (standaloneCode.default ?? standaloneCode)(ajv, validate);
  writeFileSync(modulePath, `// ${stamp}\n${code}\n`);
  writeFileSync(join(outDir, `openapi-${version}.schema.json`), text);
}

const { loadDescription } = require(join(root, 'dist/src/adapters/node/load-description.js'));
const { compiledPath } = require(join(root, 'dist/src/adapters/node/load-api.js'));
const { writeCompiledDescription } = require(join(root, 'dist/src/openapi/compiled-description.js'));
for (const name of readdirSync(outDir)) if (name.startsWith('description-')) rmSync(join(outDir, name));
const description = join(root, 'spec', 'petstore.yaml');
const { api } = loadDescription(description);
writeFileSync(compiledPath(readFileSync(description, 'utf8')), writeCompiledDescription(api.document));
