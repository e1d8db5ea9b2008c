// The licences of what files of the package hold beside code of standin.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The packages that a bundle is made of, by name and version.
 *
 * @param inputs - paths of files below the root, as esbuild names them
 */
function packagesOf(root, inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  const all = [...folders].map((folder) => {
    const {
      name,
      version,
      license,
      licenses: earlier,
    } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const said = license ?? earlier?.[0];
    return { name, version, license: typeof said === 'string' ? said : said?.type, folder: join(root, folder) };
  });
  const key = ({ name, version }) => `${name} ${version}`;
  return [...new Map(all.map((each) => [key(each), each])).values()].sort((one, other) =>
    key(one) < key(other) ? -1 : 1,
  );
}

/** The packages as JSON, for the bill of materials. */
export function listOf(root, inputs) {
  const all = packagesOf(root, inputs).map(({ name, version, license }) => ({ name, version, license }));
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** The licence of each package, with its notices. @param where - the folder that the text is for */
export function licences(root, inputs, where) {
  const texts = packagesOf(root, inputs).map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).filter((file) =>
      /^(?:licen[cs]e|notice|copying)|es-bundle\.js\.license/i.test(file),
    );
    const own = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    // Few packages name their licence in their manifest and readme alone.
    if (own.length === 0 && license === undefined) throw new Error(`${name} has no licence that ${where} could hold`);
    return [`${name} ${version}`, ...(own.length === 0 ? [statedLicence(folder, license)] : own)].join('\n\n');
  });
  return `What the files of this folder hold beside code of standin.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function statedLicence(folder, license) {
  const readme = ['README.md', 'readme.md', 'Readme.md'].map((name) => join(folder, name)).find(existsSync);
  const text = readme === undefined ? '' : readFileSync(readme, 'utf8');
  const said = /^#+ *licen[cs]e\b[\s\S]*?(?=^#|(?![\s\S]))/im.exec(text)?.[0].trim();
  return [`License: ${license}`, ...(said === undefined ? [] : [said])].join('\n\n');
}
