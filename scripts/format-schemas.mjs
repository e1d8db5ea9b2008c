import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Paths of the published JSON Schemas of the formats that people write. That of contracts stands beside them. */
export const formatSchemas = ['docs', 'contracts'].flatMap((folder) => {
  return readdirSync(join(root, folder)).flatMap((name) =>
    name.endsWith('.schema.json') ? [`${folder}/${name}`] : [],
  );
});
