// What an install of the package alone brings: at most so many packages and so many megabytes, and nothing that runs on install.
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const MOST_PACKAGES = 120;
const MOST_MB = 60;

const all = readdirSync('node_modules', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const bytes = all.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
const manifests = all
  .map(({ parentPath, name }) => join(parentPath, name))
  .filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path.replaceAll('\\', '/')))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')))
  .filter(({ name, version }) => name !== undefined && version !== undefined);
const run = manifests.filter(({ scripts = {} }) =>
  ['preinstall', 'install', 'postinstall'].some((each) => each in scripts),
);
const megabytes = bytes / 1e6;
console.log(`-- install: ${manifests.length} packages, ${megabytes.toFixed(1)} MB, ${run.length} install scripts`);
if (manifests.length > MOST_PACKAGES) throw new Error(`more than ${MOST_PACKAGES} packages`);
if (megabytes > MOST_MB) throw new Error(`more than ${MOST_MB} MB`);
if (run.length > 0) throw new Error(`install scripts of ${run.map(({ name }) => name).join(', ')}`);

const bom = JSON.parse(readFileSync('node_modules/standin/dist/sbom.cdx.json', 'utf8'));
const known = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
const own = new Set(['standin']);
const unknown = manifests.filter(({ name, version }) => !own.has(name) && !known.has(`${name}@${version}`));
console.log(`-- bill of materials: CycloneDX ${bom.specVersion}, ${bom.components.length} components`);
// A range may bring a later version than that of the lock: the name has to be there.
const names = new Set(bom.components.map(({ name }) => name));
const missing = unknown.filter(({ name }) => !names.has(name));
if (missing.length > 0) throw new Error(`not in the bill of materials: ${missing.map(({ name }) => name).join(', ')}`);

// What is bundled needs nothing that was not installed.
const vendor = join(process.cwd(), 'node_modules', 'standin', 'dist', 'vendor');
const libraries = readdirSync(vendor).filter((name) => name.endsWith('.js'));
for (const name of libraries) require(join(vendor, name));
console.log(`-- bundled: ${libraries.join(', ')}`);
