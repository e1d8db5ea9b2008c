import type { SourceFinding } from '../../errors/source-finding';
import type { ApiModel, MediaTypeEntry, RequestBody } from '../../openapi/model';
import { findingAt } from '../../openapi/source-document';
import { judgesOctets } from './body';
import { bodyKind } from '../../http/body-kind';
import { isJsonMediaType } from '../../http/media-type';

/** Bodies that are taken as they come, because no value can be made of them that their schema could judge. */
export function unjudgedBodies(api: ApiModel): SourceFinding[] {
  return api.operations.flatMap(({ id, requestBody }) =>
    (requestBody?.content ?? []).flatMap((entry): SourceFinding[] => {
      const what = entry.schema === undefined ? undefined : whyUnjudged(entry);
      if (what === undefined) return [];
      return [
        findingAt(api.document, entry.pointer, {
          rule: 'body-not-judged',
          severity: 'warning',
          message: `Bodies of ${entry.mediaType} for ${id} are taken as they come: ${what}`,
          hint: `${takesJson(requestBody) ? 'JSON is taken' : 'Offer JSON'} as well: send that where the body matters.`,
        }),
      ];
    }),
  );
}

function takesJson(body: RequestBody | undefined): boolean {
  return body?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) === true;
}

function whyUnjudged(entry: MediaTypeEntry): string | undefined {
  switch (bodyKind(entry.mediaType)) {
    case 'xml':
      return 'XML is not parsed';
    case 'opaque':
      return 'its parts have no names that a schema could describe';
    case 'binary': {
      const isRange = entry.mediaType.includes('*');
      return isRange || judgesOctets(entry) ? undefined : 'octets are no value that its schema describes';
    }
    default:
      return undefined;
  }
}
