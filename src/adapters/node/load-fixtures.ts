import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { readFixture, type FixtureItem } from '../../formats/fixture';
import { readSource } from '../../openapi/read-source';
import { readTextFile } from './read-file';

/** Items of fixture files, and what is wrong with the files. */
export interface LoadedFixtures {
  readonly items: readonly FixtureItem[];
  readonly findings: readonly SourceFinding[];
}

/**
 * Reads a fixture file, or every `.json`, `.yaml` and `.yml` file of a folder in the order of their names.
 *
 * @param collections - paths of the collections that the description has
 * @throws ConfigError `FIXTURE_UNREADABLE`; SpecError `SPEC_SYNTAX` for a file that is no JSON or YAML
 */
export function loadFixtures(path: string, collections: readonly string[]): LoadedFixtures {
  const findings: SourceFinding[] = [];
  const items = filesAt(path).flatMap((file) => {
    const text = readTextFile(file, unreadable);
    return readFixture(readSource(text, file), collections, findings);
  });
  return { items, findings };
}

function filesAt(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  const files = readdirSync(path).filter((name) => /\.(?:json|ya?ml)$/i.test(name));
  if (files.length === 0)
    throw unreadable(`${path} holds no .json, .yaml or .yml file`, 'Name the folder that holds the fixtures.');
  return files.sort().map((name) => join(path, name));
}

function unreadable(message: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError('FIXTURE_UNREADABLE', message, { hint, cause });
}
