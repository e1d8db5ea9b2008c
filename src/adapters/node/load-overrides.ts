import { ConfigError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { readOverrides } from '../../formats/overrides';
import type { ApiModel } from '../../openapi/model';
import { readSource } from '../../openapi/read-source';
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
  const findings: SourceFinding[] = [];
  const overrides = readOverrides(readSource(text, path), api, findings);
  if (findings.length === 0) return overrides;
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`;
  throw new ConfigError('CONFIG_INVALID', `The overrides ${path} cannot be used: ${count}`, { findings });
}
