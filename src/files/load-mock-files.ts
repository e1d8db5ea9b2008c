import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type SourceFinding } from '../core/errors/standin-error';
import { counted } from '../core/text/printable';
import { type FixtureResource, readFixture, readNextKeys, type SeedData } from '../formats/fixture';
import { readOverrides } from '../formats/overrides';
import { overridesWithoutEffect } from '../formats/overrides-effect';
import { readTokens, type Token } from '../formats/tokens';
import type { ApiModel } from '../openapi/model/api-model';
import { readSource } from '../openapi/read/read-source';
import type { SourceDocument } from '../openapi/read/source-document';
import type { Overrides } from '../resources/overrides/statements';
import { kindAt, readConfigSource, readTextFile, throwIfInvalid } from './file-access';

/**
 * Reads a fixture file, or every `.json`, `.yaml` and `.yml` file of a folder in the order of their names.
 *
 * @param resources - what the description keeps
 * @throws ConfigError `FIXTURE_UNREADABLE`; SpecError `SPEC_SYNTAX` for a file that is not JSON or YAML
 */
export function loadFixtures(path: string, resources: readonly FixtureResource[]): SeedData {
  const documents = filesAt(path).map((file) => readSource(readTextFile(file, 'FIXTURE_UNREADABLE'), file));
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
  if (kindAt(path) !== 'folder') return [path];
  const files = readdirSync(path).filter((name) => /\.(?:json|ya?ml)$/i.test(name));
  if (files.length === 0)
    throw new ConfigError('FIXTURE_UNREADABLE', `${path} holds no .json, .yaml or .yml file`, {
      hint: 'Name the folder that holds the fixtures.',
    });
  return files.sort().map((name) => join(path, name));
}

/**
 * Reads an overrides file, YAML or JSON.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding; SpecError `SPEC_SYNTAX` for a file that is not YAML or JSON
 */
export function loadOverrides(path: string, api: ApiModel): Overrides {
  return overridesOf(readConfigSource(path), api);
}

/**
 * The same of what a program gives.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding
 */
export function overridesOf(document: SourceDocument, api: ApiModel): Overrides {
  const findings: SourceFinding[] = [];
  const overrides = readOverrides(document, api, findings);
  if (findings.length === 0) findings.push(...overridesWithoutEffect(document, api, overrides));
  throwIfInvalid(`The overrides ${document.file}`, findings);
  return overrides;
}

/**
 * Reads a tokens file, YAML or JSON.
 *
 * @throws ConfigError `TOKENS_UNREADABLE`, `TOKENS_INVALID` with every finding; SpecError `SPEC_SYNTAX`
 */
export function loadTokens(file: string): readonly Token[] {
  return tokensOf(readSource(readTextFile(file, 'TOKENS_UNREADABLE'), file));
}

/** The same for a document that was read already. */
export function tokensOf(document: SourceDocument): readonly Token[] {
  const findings: SourceFinding[] = [];
  const tokens = readTokens(document, findings);
  if (findings.length === 0) return tokens;
  const message = `${document.file} is not a tokens file: ${counted(findings.length, 'error')}`;
  throw new ConfigError('TOKENS_INVALID', message, {
    findings,
    hint: 'docs/reference/requests.md describes the format.',
  });
}
