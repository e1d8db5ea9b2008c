import { type SourceFinding, SpecError } from '../core/errors/standin-error';
import type { TellProgress } from '../core/text/progress';
import { findDescription } from '../files/description-source';
import { BUNDLED, checkAllowedFolders, relativePath } from '../files/file-access';
import { changesOf, type DescriptionOptions, readDescription } from '../files/load-api';
import { checkDescriptionText } from '../files/load-description';
import { ExampleItems } from '../mock/seed/example-items';
import { toResources } from '../mock/state/prepared-resource';
import { inferResourceModel } from '../resources/infer-resource-model';
import { hintFindings } from '../resources/overrides/hint-findings';

export type DescriptionSources = Pick<DescriptionOptions, 'allowRemote' | 'allowFiles' | 'overlays' | 'packs'>;

interface CheckOptions extends DescriptionSources {
  /** Path or address of an OpenAPI description. Left out: the bundled Petstore. */
  readonly description?: string | undefined;
}

interface CheckResult {
  readonly file: string;
  readonly findings: readonly SourceFinding[];
}

/**
 * Checks a whole description: every schema is compiled and every example validated, however long it takes.
 *
 * @throws SpecError when it cannot be read at all; what is wrong inside is a finding
 */
export async function checkDescription(options: CheckOptions = {}, onProgress?: TellProgress): Promise<CheckResult> {
  const { description = relativePath(BUNDLED.description) } = options;
  const { allowFiles } = options;
  checkAllowedFolders(allowFiles);
  const { text, file, allowRemote } = await findDescription(description, options.allowRemote);
  const changes = changesOf(options, false);
  try {
    const findings = await checkDescriptionText(text, file, {
      allowRemote,
      allowFiles,
      onProgress,
      ...changes.options,
    });
    const isUsable = findings.every(({ severity }) => severity !== 'error');
    return { file, findings: isUsable ? [...findings, ...(await seedFindings(options, onProgress))] : findings };
  } catch (error) {
    if (!(error instanceof SpecError) || error.findings.length === 0) throw error;
    return { file, findings: error.findings };
  }
}

/** What a mock would report of the examples when it starts with them. */
async function seedFindings(
  options: CheckOptions,
  onProgress: TellProgress | undefined,
): Promise<readonly SourceFinding[]> {
  // The bundled description has fixtures.
  if (options.description === undefined) return [];
  const { api } = await readDescription(options.description, options, { onProgress });
  const model = inferResourceModel(api, undefined, onProgress);
  return [...hintFindings(api), ...new ExampleItems(api, model).findings(toResources(api, model))];
}
