import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { readFixture, type SeedData } from '../../formats/fixture';
import type { FixtureResource } from '../../formats/fixture-place';
import { readNextKeys } from '../../formats/next-keys';
import type { SourceDocument } from '../../openapi/source-document';
import { readSource } from '../../openapi/read-source';
import { readTextFile } from './read-file';

/**
 * Reads a fixture file, or every `.json`, `.yaml` and `.yml` file of a folder in the order of their names.
 *
 * @param resources - what the description keeps
 * @throws ConfigError `FIXTURE_UNREADABLE`; SpecError `SPEC_SYNTAX` for a file that is no JSON or YAML
 */
export function loadFixtures(path: string, resources: readonly FixtureResource[]): SeedData {
  const documents = filesAt(path).map((file) => readSource(readTextFile(file, unreadable), file));
  return readFixtures(documents, resources);
}

/** The same for documents that were read already. */
export function readFixtures(documents: readonly SourceDocument[], resources: readonly FixtureResource[]): SeedData {
  const findings: SourceFinding[] = [];
  const contents = documents.map((document) => readFixture(document, resources, findings));
  const nextKeys = documents.flatMap((document) => [...readNextKeys(document, resources, findings)]);
  return {
    items: contents.flatMap(({ items }) => items),
    counts: contents.flatMap(({ counts }) => counts),
    names: contents.flatMap(({ names }) => names),
    nextKeys: new Map(nextKeys),
    findings,
  };
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
