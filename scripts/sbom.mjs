// The bill of materials of the package, dist/sbom.cdx.json (CycloneDX 1.5): what npm installs with it, and what its bundled
// files hold. The same lock and the same build give the same text.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DEVELOPMENT = 'cdx:npm:package:development';
const BUNDLED = 'cdx:npm:package:bundled';

export function run(root) {
  /** Folders of the package whose files hold libraries. */
  const bundled = new Map(
    ['vendor', 'window'].flatMap((folder) =>
      JSON.parse(readFileSync(join(root, 'dist', folder, 'packages.json'), 'utf8')).map(({ name, version }) => [
        `${name}@${version}`,
        `dist/${folder}`,
      ]),
    ),
  );

  const npm = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (npm.status !== 0) throw new Error(`npm sbom ended with ${npm.status ?? npm.error}: ${npm.stderr.slice(0, 500)}`);
  const { metadata, components, dependencies, ...head } = JSON.parse(npm.stdout);

  const isDevelopment = ({ properties }) => properties.some(({ name }) => name === DEVELOPMENT);
  const idOf = ({ name, version }) => `${name}@${version}`;
  const kept = components
    .filter((each) => !isDevelopment(each) || bundled.has(idOf(each)))
    .map((each) => {
      const where = bundled.get(idOf(each));
      const properties = each.properties.filter(({ name }) => name !== DEVELOPMENT && name !== 'cdx:npm:package:path');
      if (where === undefined) return { ...each, properties };
      return { ...each, scope: 'required', properties: [...properties, { name: BUNDLED, value: where }] };
    })
    .sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1));
  const missing = [...bundled.keys()].filter((id) => !kept.some((each) => idOf(each) === id));
  if (missing.length > 0) throw new Error(`npm sbom does not know what is bundled: ${missing.join(', ')}`);

  const refs = new Set([metadata.component['bom-ref'], ...kept.map((each) => each['bom-ref'])]);
  const graph = dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // Neither when it was made nor by what: those who compare two of them look for other differences.
  const { component } = metadata;
  const content = { component: { ...component, name: 'standin' }, kept, graph };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  const bom = {
    ...head,
    serialNumber: `urn:uuid:${uuid.join('-')}`,
    metadata: { component: content.component },
    components: kept,
    dependencies: graph,
  };
  const output = join('dist', 'sbom.cdx.json');
  writeFileSync(join(root, output), `${JSON.stringify(bom, null, 2)}\n`);
  return { inputs: ['vendor', 'window'].map((folder) => join('dist', folder, 'packages.json')), outputs: [output] };
}
