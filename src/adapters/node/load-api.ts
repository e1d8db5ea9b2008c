import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SpecError } from '../../errors/harness-error';
import { buildModel } from '../../openapi/build-model';
import { readCompiledDescription } from '../../openapi/compiled-description';
import { readSource } from '../../openapi/read-source';
import type { SourceDocument } from '../../openapi/source-document';
import type { LoadedDescription } from '../../openapi/load-document';
import type * as LoadDescription from './load-description';
import { BUNDLED, GENERATED } from './package-root';
import { readTextFile } from './read-file';

/**
 * Reads, judges and compiles an API description. One that the build judged already, and that did not change since, is
 * taken as compiled then.
 *
 * @param file - YAML or JSON; the bundled Petstore when left out
 * @throws SpecError with every finding, each with file, line and column
 */
export function loadApi(file: string = BUNDLED.description): LoadedDescription {
  const text = readTextFile(file, (message, hint, cause) => new SpecError('SPEC_UNREADABLE', message, { hint, cause }));
  return loadCompiled(text, file) ?? judgeSource(text, file);
}

/** Loaded when it is needed: YAML, the official schema and the lints take longer than all the rest. */
function judgeSource(text: string, file: string): LoadedDescription {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
  return (require('./load-description') as typeof LoadDescription).loadDescriptionText(text, file);
}

function loadCompiled(text: string, file: string): LoadedDescription | undefined {
  const path = compiledPath(text);
  if (!existsSync(path)) return undefined;
  let source: SourceDocument | undefined;
  const document = readCompiledDescription(readFileSync(path, 'utf8'), file, (pointer) => {
    // Only a report quotes places; a mock that serves never reads the source again.
    source ??= readSource(text, file);
    return source.placeOf(pointer);
  });
  return document === undefined ? undefined : { api: buildModel(document), warnings: [] };
}

/** Where the build puts the compiled form of a description. */
export function compiledPath(text: string): string {
  return join(GENERATED, `description-${createHash('sha256').update(text).digest('hex')}.json`);
}
