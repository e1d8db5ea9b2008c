import { headerValue } from '../../core/http/headers';
import { bodyKind, isJsonMediaType, parseMediaType } from '../../core/http/media-type';
import { joinPointer } from '../../core/json/json-pointer';
import { type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { meantType } from '../exchange/meant-type';
import { type RecordedBody, SECRET_MARK } from '../exchange/recorded-exchange';
import { type Call, formOf, groupsOf, type SentField } from '../flow/call';
import { rewriteSent, rewriteText, type StepContext } from './step-context';

/** The body of a step, as properties of it, and the headers that say what it is. */
export interface WrittenBody {
  readonly value: JsonObject;
  readonly headers: JsonObject;
  readonly pending?: string | undefined;
}

const NONE: WrittenBody = { value: {}, headers: {} };

/** Writes the body of a call: as a value that a person can read, else as a file beside the contract. */
export function writeBody(context: StepContext, call: Call): WrittenBody {
  const { body, headers } = call.exchange.request;
  if (body === undefined) return NONE;
  if (body.kind === 'omitted') return { ...NONE, pending: `${NO_BODY}: ${body.reason}` };
  if (call.isForm) return writeForm(context, call);
  const type = meantType(body, headerValue(headers, 'content-type'));
  return body.kind === 'bytes' ? writeBytes(context, call, body, type) : writeText(context, call, body.text, type);
}

function writeText(context: StepContext, call: Call, text: string, type: string | undefined): WrittenBody {
  const header = { 'Content-Type': type ?? null };
  const essence = parseMediaType(type ?? '')?.essence ?? '';
  if (call.requestBody === undefined || !isJsonMediaType(essence))
    return { value: { text: rewriteText(context, text) }, headers: header };
  const value = rewriteSent(context, call, 'body', call.requestBody, '');
  return { value: { body: value }, headers: essence === 'application/json' ? {} : header };
}

function writeBytes(
  { files }: StepContext,
  { binding }: Call,
  { base64 }: Extract<RecordedBody, { readonly kind: 'bytes' }>,
  type: string | undefined,
): WrittenBody {
  const name = `${binding?.resource.name ?? 'body'}.${extensionOf(type)}`;
  const file = files?.add(name, Buffer.from(base64, 'base64'));
  if (file === undefined) return { ...NONE, pending: `${NO_BODY}: it is binary` };
  return { value: { file }, headers: { 'Content-Type': type ?? null } };
}

const NO_BODY = 'the recording holds no body for it';

function writeForm(context: StepContext, call: Call): WrittenBody {
  const { request } = call.exchange;
  const form = formOf(request) ?? [];
  if (bodyKind(headerValue(request.headers, 'content-type') ?? '') === 'form')
    return { value: { form: rewriteSent(context, call, 'body', call.requestBody ?? {}, '') }, headers: {} };
  const parts: Record<string, JsonValue> = {};
  for (const [name, same] of groupsOf(form)) {
    const at = joinPointer('', name);
    const problem = same.map((field) => fileProblem(context, field)).find((each) => each !== undefined);
    if (problem !== undefined) return { ...NONE, pending: `${NO_BODY}: ${problem}` };
    const written = same.map((field, index) => {
      return writePart(context, call, field, same.length === 1 ? at : joinPointer(at, index));
    });
    const [first = null] = written;
    setProperty(parts, name, written.length === 1 ? first : written);
  }
  if (form.length === 0) return { ...NONE, pending: `${NO_BODY}: its parts cannot be told apart` };
  return { value: { multipart: parts }, headers: {} };
}

/** Why a part cannot be sent; `undefined` where it can. */
function fileProblem({ files }: StepContext, { name, file }: SentField): string | undefined {
  if (file === undefined) return undefined;
  if (files === undefined) return `its part ${name} is a file`;
  const holdsSecret = Buffer.from(file.bytes).toString('latin1').search(SECRET_MARK) !== -1;
  return holdsSecret ? `its part ${name} is a file that holds a secret` : undefined;
}

function writePart(context: StepContext, call: Call, field: SentField, pointer: string): JsonValue {
  const { value = '', file, mediaType } = field;
  const type = mediaType === undefined ? {} : { type: mediaType };
  if (file === undefined || context.files === undefined) {
    const own = rewriteSent(context, call, 'body', value, pointer);
    const isPlain = mediaType === undefined || /^text\/plain$/i.test(mediaType);
    return isPlain && typeof own !== 'object' ? own : { value: own, ...type };
  }
  const path = context.files.add(file.fileName, file.bytes);
  const isNamed = path.endsWith(`/${file.fileName}`);
  return { file: path, ...type, ...(isNamed ? {} : { filename: rewriteText(context, file.fileName) }) };
}

/** `png` for `image/png`, `svg` for `image/svg+xml`. */
function extensionOf(type: string | undefined): string {
  const subtype = parseMediaType(type ?? '')?.subtype ?? 'octet-stream';
  return subtype === 'octet-stream' ? 'bin' : subtype.replace(/^x-|^vnd\.|\+.*$/g, '');
}
