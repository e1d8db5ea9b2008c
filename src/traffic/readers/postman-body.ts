import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { isJsonMediaType } from '../../core/http/media-type';
import type { JsonObject } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import { isJsonText } from '../exchange/meant-type';
import type { RecordedBody } from '../exchange/recorded-exchange';
import {
  BOUNDARY,
  boundaryOf,
  bytesBody,
  type FormPart,
  multipartForm,
  omittedBody,
  textBody,
  urlEncodedForm,
} from './bodies';
import { itemsAt, objectAt, objectsAt, textAt } from './loose-values';
import type { PostmanContext, PostmanVariables, Tell } from './postman-variables';

export interface WrittenBody {
  readonly body: RecordedBody | undefined;
  /** What Postman sends where no header says it. */
  readonly contentType: string | undefined;
}

const NO_BODY: WrittenBody = { body: undefined, contentType: undefined };

/** Media types of the languages that the editor of raw bodies offers. */
const LANGUAGES: Readonly<Record<string, string>> = {
  json: 'application/json',
  xml: 'application/xml',
  html: 'text/html',
  javascript: 'application/javascript',
  text: 'text/plain',
};

type WriteBody = (body: JsonObject, headers: RawHeaders, context: PostmanContext, tell: Tell) => WrittenBody;

/** By `mode`. */
const MODES: Readonly<Record<string, WriteBody>> = {
  raw(body, headers, { variables }) {
    const language = textAt(objectAt(objectAt(body, 'options'), 'raw'), 'language') ?? 'text';
    const type = headerValue(headers, 'content-type') ?? LANGUAGES[language] ?? '';
    const text = jsonText(variables.fill(textAt(body, 'raw') ?? ''), isJsonMediaType(type));
    return text === '' ? NO_BODY : { body: textBody(text), contentType: LANGUAGES[language] };
  },
  urlencoded(body, _, { variables }) {
    const fields = enabled(body, 'urlencoded').map((each) => fieldOf(each, variables));
    return { body: textBody(urlEncodedForm(fields)), contentType: 'application/x-www-form-urlencoded' };
  },
  formdata(body, headers, context, tell) {
    const boundary = boundaryOf(headerValue(headers, 'content-type') ?? '') ?? BOUNDARY;
    const contentType = `multipart/form-data; boundary=${boundary}`;
    const parts = enabled(body, 'formdata').flatMap((each) => partsOf(each, context, tell));
    return { body: bytesBody(multipartForm(parts, boundary), contentType), contentType };
  },
  graphql(body, _, { variables }) {
    return { body: textBody(graphqlText(objectAt(body, 'graphql'), variables)), contentType: 'application/json' };
  },
  file(body, headers, { file }, tell) {
    const place = objectAt(body, 'file');
    const [content, path] = [textAt(place, 'content'), textAt(place, 'src')];
    const bytes = content === undefined ? file(path ?? '') : Buffer.from(content);
    const type = headerValue(headers, 'content-type') ?? '';
    if (bytes !== undefined) return { body: bytesBody(bytes, type), contentType: undefined };
    tell('A file that the request sends is not beside the collection', 'kept without it');
    return { body: omittedBody('the file that it is sent from is not there', undefined), contentType: undefined };
  },
};

/** Writes the body of a request. @param headers - those that the request has */
export function writePostmanBody(
  request: JsonObject,
  headers: RawHeaders,
  context: PostmanContext,
  tell: Tell,
): WrittenBody {
  const body = objectAt(request, 'body');
  const mode = textAt(body, 'mode') ?? '';
  if (body['disabled'] === true || mode === '' || mode === 'none') return NO_BODY;
  const write = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  if (write !== undefined) return write(body, headers, context, tell);
  tell('The body of the request has an unknown mode', 'kept without a body');
  return NO_BODY;
}

/** A text of JSON, a comment, or the mark of a variable outside of texts. */
const JSON_PIECE = /"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[^]*?\*\/|~secret\.\w+~/g;

/** JSON as Postman sends it: without comments. A variable that has no value here is a text. */
function jsonText(text: string, isJson: boolean): string {
  const plain = text.replace(JSON_PIECE, (piece) => {
    return piece.startsWith('"') ? piece : piece.startsWith('~') ? `"${piece}"` : '';
  });
  return isJson || isJsonText(plain) ? plain : text;
}

function enabled(body: JsonObject, name: string): readonly JsonObject[] {
  return objectsAt(body, name).filter((each) => each['disabled'] !== true);
}

function fieldOf(field: JsonObject, variables: PostmanVariables): readonly [name: string, value: string] {
  return [variables.fill(textAt(field, 'key') ?? ''), variables.fill(textAt(field, 'value') ?? '')];
}

/** `src` names a file, or several, of which each is a part. */
function partsOf(field: JsonObject, { variables, file }: PostmanContext, tell: Tell): FormPart[] {
  const [name, value] = fieldOf(field, variables);
  const contentType = textAt(field, 'contentType');
  if (textAt(field, 'type') !== 'file') return [{ name, value, contentType }];
  const paths = [textAt(field, 'src') ?? itemsAt(field, 'src')].flat().filter((each) => typeof each === 'string');
  return paths.map((path) => {
    const bytes = file(path);
    if (bytes === undefined)
      tell('A file that the request sends is not beside the collection', 'kept as an empty file');
    return { name, value: { fileName: path.split(/[\\/]/).at(-1) ?? path, bytes }, contentType };
  });
}

/** GraphQL over HTTP §5.4.1: the variables are written as a text of their own, and sent as an object. */
function graphqlText(graphql: JsonObject, variables: PostmanVariables): string {
  const query = variables.fill(textAt(graphql, 'query') ?? '');
  const written = variables.fill(textAt(graphql, 'variables') ?? '').trim();
  const operationName = textAt(graphql, 'operationName') ?? '';
  const value = { query, ...(operationName === '' ? {} : { operationName }) };
  try {
    return stringifyJson(written === '' ? value : { ...value, variables: parseJson(written) });
  } catch {
    return stringifyJson({ ...value, variables: written });
  }
}
