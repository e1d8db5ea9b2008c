import { headerValue } from '../http/headers';
import { isJsonMediaType } from '../http/media-type';
import { isJsonObject } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel, Operation, ResponseSpec, Schema } from '../openapi/model';
import { examplesOf } from '../payload/choose-example';
import { meansKey } from '../resources/key-elsewhere';
import { lastLiteral, parseTemplate } from '../resources/path-template';
import { readerOf } from '../resources/schema-reader';
import type { OverlaySent } from './overlay-sent';

/**
 * Puts the key that a path names into a thing that is made up for it, `GET /users/{user_id}` without a state behind: the
 * member of that name, else the `id`. An example is answered as it is.
 *
 * @returns `undefined` where the path ends in no key, or nothing is made up that has one
 */
export function planAskedKey(
  api: ApiModel,
  operation: Operation,
  success: ResponseSpec | undefined,
): OverlaySent | undefined {
  const entry = success?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const isMade = operation.method === 'GET' && entry !== undefined && examplesOf(entry).length === 0;
  const named = isMade ? keyNamed(api, operation, entry.schema) : undefined;
  if (named === undefined || entry === undefined) return undefined;
  const { variable, member } = named;
  return (answer, { parameters: { path } }) => {
    const { body, headers } = answer;
    const key = path.get(variable);
    if (key === undefined || typeof body !== 'string' || !isJsonMediaType(headerValue(headers, 'Content-Type') ?? ''))
      return answer;
    const before = parseJson(body);
    const after = isJsonObject(before) ? { ...before, [member]: key } : before;
    const isShown = after !== before && entry.schema?.validate('response')(after).length === 0;
    return isShown ? { ...answer, body: stringifyJson(after) } : answer;
  };
}

/** The variable at the end of a path, and the member that has its value. */
function keyNamed(
  api: ApiModel,
  { path }: Operation,
  schema: Schema | undefined,
): { readonly variable: string; readonly member: string } | undefined {
  const body = readerOf(api).unwrap(schema);
  const segments = parseTemplate(path)?.segments ?? [];
  const last = segments.at(-1);
  if (body === undefined || last?.kind !== 'variable' || !meansKey(last.name, lastLiteral(segments))) return undefined;
  const members = readerOf(api).members(body);
  const member = [last.name, 'id'].find((name) => members.has(name));
  return member === undefined ? undefined : { variable: last.name, member };
}
