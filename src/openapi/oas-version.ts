import { isSchemaObject } from '../json-schema/schema';
import type { SourceDocument } from './source-document';

/** A feature set of OpenAPI: the patch digit makes no difference (OAS 3.0.3 "Versions"). */
export type OasVersion = '3.0' | '3.1' | '3.2';

/** Every version that is read, the oldest first. */
export const OAS_VERSIONS: readonly OasVersion[] = ['3.0', '3.1', '3.2'];

/** The version that a document was written for; 3.0 for one that does not say, such as the schemas of a test. */
export function oasVersionOf({ root }: Pick<SourceDocument, 'root'>): OasVersion {
  const declared = isSchemaObject(root) ? root['openapi'] : undefined;
  const minor = typeof declared === 'string' ? /^\d+\.\d+/.exec(declared)?.[0] : undefined;
  return OAS_VERSIONS.find((version) => version === minor) ?? '3.0';
}
