import { SpecError, type SourceFinding } from '../../../src/core/errors/standin-error';
import type { JsonObject } from '../../../src/core/json/json-value';
import { loadDescriptionText } from '../../../src/files/load-description';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import { draftDescriptionText } from '../../../src/traffic/inferred/draft-text';

/** A document as it is written and loaded again, with everything that is found in it. */
export function findLints(document: JsonObject): { readonly api: ApiModel; readonly findings: readonly string[] } {
  const text = draftDescriptionText(document);
  const told = (all: readonly SourceFinding[]): string[] =>
    all.map(({ rule, pointer, message }) => `${rule} at ${pointer}: ${message}`);
  try {
    const { api, warnings } = loadDescriptionText(text, 'draft.yaml', {});
    return { api, findings: told(warnings) };
  } catch (error) {
    if (error instanceof SpecError) throw new Error(`${told(error.findings).join('\n')}\n${text}`);
    throw error;
  }
}
