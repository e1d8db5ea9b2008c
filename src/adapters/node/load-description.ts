import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SpecError } from '../../errors/harness-error';
import type { JsonValue } from '../../json/json-value';
import { loadDocument, type LoadedDescription } from '../../openapi/load-document';
import { readSource } from '../../openapi/read-source';
import type { DocumentValidator } from '../../openapi/validate-document';
import { BUNDLED, GENERATED } from './package-root';
import { readTextFile } from './read-file';

/** {@link loadDescriptionText} of a file; the bundled Petstore when none is named. */
export function loadDescription(file: string = BUNDLED.description): LoadedDescription {
  const text = readTextFile(file, (message, hint, cause) => new SpecError('SPEC_UNREADABLE', message, { hint, cause }));
  return loadDescriptionText(text, file);
}

/**
 * Parses, judges and compiles an API description from its source.
 *
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadDescriptionText(text: string, file: string): LoadedDescription {
  return loadDocument(readSource(text, file), documentValidator);
}

/** Compiled from the official JSON Schema by the build. */
function documentValidator(version: string): DocumentValidator {
  const load = createRequire(__filename);
  const path = join(GENERATED, `openapi-${version}`);
  return {
    judge: load(`${path}.js`) as DocumentValidator['judge'],
    schema: () => load(`${path}.schema.json`) as JsonValue,
  };
}
