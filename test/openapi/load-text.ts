import { loadDescription } from '../../src/files/load-description';
import { StandinError } from '../../src/core/errors/standin-error';
import type { LoadedDescription } from '../../src/openapi/load-document';
import { temporaryFolder } from '../support/temporary-folder';

/** Loads a description out of a file of its own, as a user's would be. */
export function loadText(text: string | Uint8Array, name = 'openapi.yaml'): LoadedDescription {
  const folder = temporaryFolder();
  try {
    return loadDescription(folder.write(name, text));
  } finally {
    folder.remove();
  }
}

/** A description around what the test is about: `paths` and `components` as YAML flow or block text. */
export function description({ paths = '{}', schemas = '{}', more = '' }): string {
  return `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths: ${paths}
components:
  schemas: ${schemas}
${more}`;
}

/** What a call threw, which must be an error of ours. */
export function thrownBy(act: () => unknown): StandinError {
  try {
    act();
  } catch (error) {
    if (error instanceof StandinError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
