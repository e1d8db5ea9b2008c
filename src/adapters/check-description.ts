import { SpecError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { ExampleRows } from '../mock/seed-examples';
import { toResources } from '../mock/resource';
import { hintFindings } from '../resources/hint-findings';
import { inferResourceModel } from '../resources/infer-resource-model';
import { checkAllowedFolders } from './node/file-bounds';
import { findDescription } from './node/description-source';
import { changesOf, readDescription, type DescriptionOptions } from './description-options';
import { BUNDLED, shownPath } from './node/package-root';
import { judgeDescriptionText } from './node/load-description';

export interface CheckOptions extends Pick<DescriptionOptions, 'allowRemote' | 'allowFiles' | 'overlays' | 'packs'> {
  /** Path or address of an OpenAPI description. Left out: the bundled Petstore. */
  readonly description?: string | undefined;
}

export interface CheckResult {
  readonly file: string;
  readonly findings: readonly SourceFinding[];
}

/**
 * Judges a description whole: every schema is compiled and every example judged, however long it takes.
 *
 * @throws SpecError when it cannot be read at all; what is wrong inside is a finding
 */
export async function checkDescription(options: CheckOptions = {}): Promise<CheckResult> {
  const { description = shownPath(BUNDLED.description) } = options;
  const { allowFiles } = options;
  checkAllowedFolders(allowFiles);
  const { text, file, allowRemote } = await findDescription(description, options.allowRemote);
  const changes = changesOf(options, false);
  try {
    const findings = await judgeDescriptionText(text, file, { allowRemote, allowFiles, ...changes.options });
    const isUsable = findings.every(({ severity }) => severity !== 'error');
    return { file, findings: isUsable ? [...findings, ...(await seedFindings(options))] : findings };
  } catch (error) {
    if (!(error instanceof SpecError) || error.findings.length === 0) throw error;
    return { file, findings: error.findings };
  }
}

/** What a mock would say of the examples when it begins with them, where it would. */
async function seedFindings(options: CheckOptions): Promise<readonly SourceFinding[]> {
  // The bundled description has fixtures.
  if (options.description === undefined) return [];
  const { api } = await readDescription(options.description, options);
  const model = inferResourceModel(api);
  return [...hintFindings(api), ...new ExampleRows(api, model).findings(toResources(api, model))];
}
