// Libraries that few users need and that would make every install heavy, each in one file under dist/vendor: Prism alone
// brings 150 packages and 80 MB. They are loaded by those modules only that use them. Beside them lie their licences, and
// a list of what is in them, for the bill of materials.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { licences, listOf } from './licences.mjs';

const require = createRequire(import.meta.url);
/** What a package requires is found where the package itself would find it. */
const besides = (name) => dirname(require.resolve(name));

const libraries = {
  // Its generators share these with who seeds them.
  prism: {
    from: '@stoplight/prism-http',
    text: `const { createInstance, getHttpOperationsFromSpec } = require('@stoplight/prism-http');
      const { JSONSchemaFaker } = require('json-schema-faker');
      const { faker } = require('@faker-js/faker');
      const seedrandom = require('seedrandom');
      module.exports = { createInstance, getHttpOperationsFromSpec, JSONSchemaFaker, faker, seedrandom };`,
  },
  swagger2openapi: {
    from: 'swagger2openapi',
    text: "module.exports = require('swagger2openapi');",
    // It prints the errors that it throws.
    define: { 'console.warn': 'Boolean' },
  },
  'json-p3': { from: 'json-p3', text: "module.exports = require('json-p3');" },
  'streamparser-json': { from: '@streamparser/json', text: "module.exports = require('@streamparser/json');" },
  'redis-client': { from: '@redis/client', text: "exports.createClient = require('@redis/client').createClient;" },
  'oidc-provider': { from: 'oidc-provider', text: "export * from 'oidc-provider';" },
  jsonwebtoken: { from: 'jsonwebtoken', text: "module.exports = require('jsonwebtoken');" },
  mcp: {
    from: '@modelcontextprotocol/sdk/server',
    text: `const { Server } = require('@modelcontextprotocol/sdk/server/index.js');
      const { StdioServerTransport } = require('@modelcontextprotocol/sdk/server/stdio.js');
      const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
      const types = require('@modelcontextprotocol/sdk/types.js');
      module.exports = { ...types, Server, StdioServerTransport, StreamableHTTPServerTransport };`,
    // They are installed anyway.
    external: ['ajv', 'ajv-formats'],
  },
  'fast-xml-parser': { from: 'fast-xml-parser', text: "module.exports = require('fast-xml-parser');" },
};

/** Names, cities and words of one language are enough for samples: nothing of Prism chooses another. */
const englishOnly = {
  name: 'english-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@faker-js\/faker$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'english-only',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'english-only' }, ({ pluginData: resolveDir }) => ({
      // By both names: Prism asks for the one, who seeds it for the other.
      contents: "exports.faker = exports.default = require('@faker-js/faker/locale/en'); exports.__esModule = true;",
      resolveDir,
    }));
  },
};

/** Its advice is for who runs it in production, and would be told to every user of a mock. */
const withoutAdvice = {
  name: 'without-advice',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\\\]oidc-provider[/\\\\]lib[/\\\\]helpers[/\\\\]attention\.js$/ }, () => ({
      contents: 'export function info() {}\nexport function warn() {}\n',
    }));
  },
};

export async function run(root) {
  const target = join(root, 'dist', 'vendor');
  mkdirSync(target, { recursive: true });
  const inputs = [];
  for (const [name, { from, text, external = [], define = {} }] of Object.entries(libraries)) {
    const { metafile } = await build({
      stdin: { contents: text, resolveDir: besides(from), sourcefile: `${name}.js` },
      outfile: join(target, `${name}.js`),
      bundle: true,
      minify: true,
      // Of an error that nobody caught, Node shows the line.
      lineLimit: 160,
      // Stack traces and checks by the name of a class.
      keepNames: true,
      platform: 'node',
      target: 'node20',
      metafile: true,
      external,
      define,
      absWorkingDir: root,
      legalComments: 'none',
      logLevel: 'warning',
      // Its usual form requires its parts by names that are known only when it runs.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
      plugins: [englishOnly, withoutAdvice],
    });
    inputs.push(...Object.keys(metafile.inputs));
  }
  writeFileSync(join(target, 'licenses.txt'), licences(root, inputs, 'dist/vendor'));
  writeFileSync(join(target, 'packages.json'), listOf(root, inputs));
  const names = [...Object.keys(libraries).map((name) => `${name}.js`), 'licenses.txt', 'packages.json'];
  return { outputs: names.map((name) => join('dist', 'vendor', name)) };
}
