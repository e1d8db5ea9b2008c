import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { isJsonObject } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { isXmlMediaType } from '../payload/media-body';
import { writeXml } from '../payload/xml-body';
import type { Admitted } from './admit';
import type { Call } from './call';
import type { MockContext } from './context';
import type { OperationPlan } from './operation-plan';

/** Does the body ask for a stream (`stream: true`), where the operation documents one? @returns its media type */
export function streamAskedFor({ stream }: OperationPlan, { body }: Call): string | undefined {
  if (stream === undefined || !isJsonObject(body)) return undefined;
  return body['stream'] === true ? stream : undefined;
}

/**
 * Puts a success that was written from the state into the media type that Accept asks for: another name for JSON, XML of
 * the same value; a stream or a file is what the description shows of it.
 */
export function representAs(
  context: MockContext,
  { operation, plan, wanted }: Admitted,
  call: Call,
  response: HttpResponse,
): HttpResponse | Promise<HttpResponse> {
  const mediaType = streamAskedFor(plan, call) ?? wanted;
  const { body, status, headers } = response;
  if (mediaType === undefined || !isOther(mediaType, plan) || typeof body !== 'string' || status >= 300)
    return response;
  // Another name for the same bytes: what is known of them stays true.
  if (isJsonMediaType(mediaType)) return { ...response, headers: named(headers, mediaType) };
  const spec = plan.response(status);
  const schema = spec?.content.find((entry) => entry.mediaType === mediaType)?.schema;
  if (isXmlMediaType(mediaType) && schema !== undefined) {
    const text = writeXml(context.api, schema, parseJson(body));
    return { ...response, headers: withContentType(headers, mediaType), body: text };
  }
  return context.payloads.answer(operation, spec, status, mediaType).then((answer) => {
    if ('code' in answer) return response;
    const type = answer.headers[answer.headers.indexOf('Content-Type') + 1] ?? mediaType;
    return { ...response, headers: withContentType(headers, type), body: answer.body };
  });
}

/** Is it another type than usual, and neither a range nor a key that is no media type at all? */
function isOther(mediaType: string, { behaviour }: OperationPlan): boolean {
  return mediaType !== behaviour?.body.contentType && !mediaType.includes('*') && mediaType.includes('/');
}

function named(headers: HttpResponse['headers'], mediaType: string): string[] {
  return headers.map((text, index) => (headers[index - 1] === 'Content-Type' && index % 2 === 1 ? mediaType : text));
}

/** Without the length of the body that was. */
function withContentType(headers: HttpResponse['headers'], mediaType: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]];
    if (name === 'Content-Type') kept.push(name, mediaType);
    else if (name !== 'Content-Length' && name !== 'ETag') kept.push(name, value);
  }
  return kept;
}
