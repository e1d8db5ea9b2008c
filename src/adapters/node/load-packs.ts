import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors/harness-error';
import { similarName } from '../../errors/similar-name';
import type { SourceFinding } from '../../errors/source-finding';
import type { Overlay } from '../../formats/overlay';
import { PACK_FILE, readPack, titleOf, type PackManifest } from '../../formats/pack';
import type { JsonValue } from '../../json/json-value';
import { moduleFiles } from './load-anew';
import { loadOverlay, readConfigSource, refuseIfAny } from './load-overlay';
import { PACKAGE_ROOT } from './package-root';

/** What one API means beyond its description: changes of the description, overrides and rules, in a folder. */
export interface Pack extends Omit<PackManifest, 'titles'> {
  readonly folder: string;
  /** Was it asked for, or chosen by the title of the description? */
  readonly chosen: 'named' | 'title';
  readonly overlay: Overlay | undefined;
  /** Path of its overrides file. */
  readonly overrides: string | undefined;
  /** Path of its rules file. */
  readonly rules: string | undefined;
}

/** The packs that the package brings along. */
const BUNDLED_PACKS = join(PACKAGE_ROOT, 'packs');

/**
 * A pack by its name among those of the package, or by its folder.
 *
 * @throws ConfigError `CONFIG_INVALID` for one that is not there, or that cannot be used, with every finding
 */
export function namedPack(given: string): Pack {
  const names = bundledNames();
  if (names.includes(given)) return loadPack(join(BUNDLED_PACKS, given), 'named');
  if (existsSync(join(given, PACK_FILE))) return loadPack(given, 'named');
  if (existsSync(given))
    throw new ConfigError('CONFIG_INVALID', `${given} is no pack: it has no ${PACK_FILE}`, {
      hint: 'docs/packs.md says what a pack holds.',
    });
  const near = similarName(given, names);
  const meant =
    near === undefined ? `There are ${names.join(', ')}` : `Did you mean ${near}? There are ${names.join(', ')}`;
  throw new ConfigError('CONFIG_INVALID', `There is no pack ${given}`, {
    hint: `${meant}; a pack of your own is named by its folder.`,
  });
}

/** The packs of the package that were made for descriptions with this title. */
export function packsByTitle(root: JsonValue): Pack[] {
  const title = titleOf(root);
  if (title === undefined || title === '') return [];
  return bundledNames().flatMap((name) => {
    const folder = join(BUNDLED_PACKS, name);
    // Nearly always none: to look for the title costs nothing, and YAML need not be loaded for it.
    if (!readFileSync(join(folder, PACK_FILE), 'utf8').includes(title)) return [];
    return manifestAt(folder).titles.includes(title) ? [loadPack(folder, 'title')] : [];
  });
}

function loadPack(folder: string, chosen: Pack['chosen']): Pack {
  const { name, about } = manifestAt(folder);
  const overlay = fileIn(folder, ['overlay.yaml', 'overlay.yml', 'overlay.json']);
  return {
    name,
    about,
    folder,
    chosen,
    overlay: overlay === undefined ? undefined : loadOverlay(overlay),
    overrides: fileIn(folder, ['overrides.yaml', 'overrides.yml', 'overrides.json']),
    rules: fileIn(folder, moduleFiles('rules')),
  };
}

function manifestAt(folder: string): PackManifest {
  const file = join(folder, PACK_FILE);
  const findings: SourceFinding[] = [];
  const manifest = readPack(readConfigSource(file), findings);
  refuseIfAny(`The pack ${file}`, findings);
  return manifest;
}

function fileIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

function bundledNames(): string[] {
  return readdirSync(BUNDLED_PACKS).filter((name) => existsSync(join(BUNDLED_PACKS, name, PACK_FILE)));
}
