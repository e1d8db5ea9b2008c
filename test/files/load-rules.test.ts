import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { loadRules } from '../../src/files/load-rules-and-packs';
import { BUNDLED, PACKAGE_ROOT } from '../../src/files/file-access';
import { ConfigError } from '../../src/core/errors/standin-error';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const RULES = "{ standin: 'rules/1', references: [{ collection: '/books', member: 'authorId', to: '/authors' }] }";

folder.write('esm/package.json', '{ "type": "module" }');

const FORMS: [string, string][] = [
  ['rules.cjs', `module.exports = ${RULES};`],
  ['rules.js', `module.exports = ${RULES};`],
  ['default.cjs', `exports.default = ${RULES};`],
  ['a folder/with #odd% names/rules.cjs', `module.exports = ${RULES};`],
  ['rules.mjs', `export default ${RULES};`],
  ['esm/rules.js', `export default ${RULES};`],
  ['rules.ts', `interface A { a: 1 }\nconst rules: object & Partial<A> = ${RULES};\nexport default rules;`],
  ['esm/rules.ts', `const rules: object = ${RULES};\nexport default rules;`],
  ['rules.mts', `const rules: object = ${RULES};\nexport default rules;`],
  ['rules.cts', `const rules: object = ${RULES};\nmodule.exports = rules;`],
];

describe('a rules file is loaded', () => {
  // jest itself can load no ES module in JavaScript: those forms are for the command line.
  test.each(FORMS.filter(([name]) => name !== 'esm/rules.js' && /\.c?[jt]s$/.test(name)))(
    'inside jest: %s',
    async (name, text) => {
      const rules = await loadRules(folder.write(name, text));
      expect(rules.standin).toBe('rules/1');
      expect(rules.references).toMatchObject([{ collection: '/books', member: 'authorId', to: '/authors' }]);
    },
  );

  test('inside jest: without its extension, as the bundled one is', async () => {
    folder.write('bare.js', `module.exports = ${RULES};`);
    await expect(loadRules(`${folder.path}/bare`)).resolves.toMatchObject({ standin: 'rules/1' });
    await expect(loadRules(BUNDLED.rules)).resolves.toMatchObject({ standin: 'rules/1' });
  });

  describe('by the built package', () => {
    let loaded: unknown[];
    beforeAll(() => {
      const files = FORMS.map(([name, text]) => folder.write(name, text));
      const script = `const [built, ...files] = process.argv.slice(1);
const { loadRules } = require(built);
Promise.all(files.map((file) => loadRules(file).catch(String))).then((all) => console.log(JSON.stringify(all)));`;
      const built = join(PACKAGE_ROOT, 'dist', 'src', 'files', 'load-rules-and-packs.js');
      const output = execFileSync(process.execPath, ['-e', script, built, ...files], { encoding: 'utf8' });
      loaded = JSON.parse(output) as unknown[];
    });

    test.each(FORMS.map(([name], index) => [name, index] as const))('%s', (_, index) => {
      expect(loaded[index]).toMatchObject({ standin: 'rules/1', references: [{ member: 'authorId' }] });
    });
  });
});

describe('a rules file is refused', () => {
  test.each([
    ['that does not exist', `${folder.path}/nothing.js`, 'RULES_UNREADABLE', 'nothing.js'],
    ['that does not parse', folder.write('syntax.cjs', 'module.exports = {'), 'RULES_UNREADABLE', 'syntax.cjs'],
    ['that throws', folder.write('throws.cjs', "throw new Error('no luck');"), 'RULES_UNREADABLE', 'no luck'],
    ['that throws a text', folder.write('text.cjs', "throw 'no luck';"), 'RULES_UNREADABLE', 'no luck'],
    [
      'that needs a module that is not there',
      folder.write('needs.cjs', "require('not-installed-anywhere');"),
      'RULES_UNREADABLE',
      'not-installed-anywhere',
    ],
    ['that is a folder', folder.path, 'RULES_UNREADABLE', folder.path],
    ['that exports nothing', folder.write('nothing.cjs', ''), 'RULES_INVALID', 'does not export rules'],
    [
      'of another version',
      folder.write('other.cjs', "module.exports = { standin: 'rules/2' };"),
      'RULES_INVALID',
      'does not export rules',
    ],
    ['that exports null', folder.write('null.cjs', 'module.exports = null;'), 'RULES_INVALID', 'does not export rules'],
    [
      'that exports them by another name',
      folder.write('named.cjs', `exports.rules = ${RULES};`),
      'RULES_INVALID',
      'does not export rules',
    ],
    [
      'that is JSON',
      folder.write('rules.json', '{ "standin": "fixture/1" }'),
      'RULES_INVALID',
      'does not export rules',
    ],
  ])('%s', async (_, file, code, reason) => {
    const refused: unknown = await loadRules(file).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused).toMatchObject({ code, message: expect.stringContaining(reason), hint: expect.any(String) });
  });
});
