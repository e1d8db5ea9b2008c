import { ConfigError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { readOverrides } from '../../formats/overrides';
import { overridesWithoutEffect } from '../../formats/overrides-effect';
import type { ApiModel } from '../../openapi/model';
import { readSource } from '../../openapi/read-source';
import type { SourceDocument } from '../../openapi/source-document';
import type { Overrides } from '../../resources/statements';
import { readTextFile } from './read-file';

/**
 * Reads an overrides file, YAML or JSON.
 *
 * @throws ConfigError `CONFIG_INVALID` with every finding; SpecError `SPEC_SYNTAX` for a file that is no YAML or JSON
 */
export function loadOverrides(path: string, api: ApiModel): Overrides {
  const text = readTextFile(
    path,
    (message, hint, cause) => new ConfigError('CONFIG_INVALID', message, { hint, cause }),
  );
  return overridesOf(readSource(text, path), api);
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
  if (findings.length === 0) return overrides;
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  throw new ConfigError('CONFIG_INVALID', `The overrides ${document.file} cannot be used: ${count}`, { findings });
}
