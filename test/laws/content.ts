import { asList, asObject, isScalar, type JsonObject, plainName, wordsOf } from './checks';
import { bare, type Collection, itemIn, itemSchema, propertiesOf } from './collections';
import { type Body, goodSchema, isJson, nameOf, type Operation } from './description';
import { makeValue, NoValueError } from './make-value';
import { addressOf, firstListed, isSameKind, keyOfCreated, type Place, type Thing } from './place';
import { chooseBody, type Wishes } from './request';
import { typeOf } from './schemas';
import type { Exchange, Session } from './session';
import { findWay, isFiltered, walkList } from './walk';

/** What no text is: a server that takes it for one does not give it back. */
const OCTETS = Buffer.from([0, 1, 2, 128, 255, 254, 13, 10, 10, 0, 195, 40, 7]);
/** What is uploaded in the place of others. */
const OTHER_OCTETS = Buffer.concat([OCTETS, Buffer.from([250, 1])]);
const TEXT = Buffer.from('One line, and ä second one:\n\n  two\n');
/** What content is called at an item's address. */
const CONTENT = /^(?:content|contents|download|raw|data|file|filedata|body|blob|media|binary|source)$/;
/** What a server may refuse for reasons that the description does not tell. */
const REFUSALS = new Set([202, 400, 401, 402, 403, 409, 413, 415, 422]);

type Attempt = (operation: Operation, run: () => Promise<void>) => Promise<void>;

/** A request that uploads, and the type of what it carries. */
interface Upload {
  readonly operation: Operation;
  readonly type: string;
  readonly wishes: (session: Session) => Pick<Wishes, 'raw' | 'body'>;
  readonly content: Buffer;
  /** The property in base64. */
  readonly property?: string;
}

/** Content: what is uploaded is found, and its documented download gives it back as it was. */
export async function judgeContent(place: Place, attempt: Attempt): Promise<void> {
  const { session, collection } = place;
  if (!place.isReal) return;
  const { create } = collection;
  const created = create === undefined ? undefined : readUpload(session, collection, create, OCTETS);
  const uploads = session.description.operations.filter(({ method }) => ['PUT', 'POST'].includes(method));
  if (created !== undefined) await attempt(created.operation, () => judgeCreation(place, created));
  for (const download of downloadsOf(place)) {
    const path = bare(download.path);
    const upload = uploads
      .filter((operation) => bare(operation.path) === path && operation !== create)
      .map((operation) => readUpload(session, collection, operation, OTHER_OCTETS))
      .find((found) => found !== undefined && givesBack(download, found));
    const thing = upload === undefined ? undefined : await firstListed(place);
    if (thing !== undefined) await attempt(upload!.operation, () => judgeUpload(place, upload!, download, thing));
  }
}

/** An upload makes an item. */
async function judgeCreation(place: Place, upload: Upload): Promise<void> {
  const { session, collection, keys } = place;
  const { read, list } = collection;
  const made = await session.ask(upload.operation, { keys, ...upload.wishes(session) }, collection);
  if (!judgeAcceptance(place, made)) return;
  const key = keyOfCreated(place, made);
  if (key === undefined) return;
  const thing = { key, made };
  if (read !== undefined && !isDownload(read)) await judgeItem(place, upload, read, thing);
  if (list !== undefined && !isFiltered(list, findWay(list, session))) {
    const walk = await walkList(session, collection, keys);
    const isSeen = walk.keys.includes(key);
    const verdict = isSeen ? 'holds' : walk.hasKeys && walk.hasEnded ? 'violated' : 'not applicable';
    const shown = [made, ...walk.shown.slice(0, 1)];
    session.tell('content', verdict, { operation: nameOf(upload.operation), collection, shown }, `the list has ${key}`);
  }
  const download = downloadsOf(place).find((operation) => givesBack(operation, upload));
  if (download !== undefined) await judgeDownload(place, upload, download, thing);
}

/** What an upload made is at its address, with the content where that is a property. */
async function judgeItem(place: Place, upload: Upload, read: Operation, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const found = await session.ask(read, { keys: addressOf(place, thing) }, collection);
  const about = { operation: nameOf(upload.operation), collection, shown: [thing.made!, found] };
  const isFound = found.answer.status >= 200 && found.answer.status < 400;
  session.tell('content', isFound ? 'holds' : 'violated', about, `what was uploaded is at its address, ${thing.key}`);
  const { property } = upload;
  if (!isFound || property === undefined || !showsProperty(place, read, upload)) return;
  const shown = itemIn(collection, found.answer.json)?.value[property];
  const isSame = typeof shown === 'string' && Buffer.from(shown, 'base64').equals(upload.content);
  session.tell('content', isSame ? 'holds' : 'violated', about, `${property} as sent`);
}

function showsProperty({ session, collection }: Place, read: Operation, { operation, property }: Upload): boolean {
  const of = (schema: JsonObject | undefined): JsonObject | undefined =>
    schema && propertiesOf(session.schemas, itemSchema(collection, session.schemas, schema).schema).get(property!);
  const [from, to] = [of(chooseBody(operation)?.schema), of(goodSchema(read)?.schema)];
  return from !== undefined && to !== undefined && isSameKind(from, to, '');
}

async function judgeUpload(place: Place, upload: Upload, download: Operation, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const keys = keysAt(upload.operation, place, thing);
  const made = await session.ask(upload.operation, { keys, ...upload.wishes(session) }, collection);
  if (judgeAcceptance(place, made)) await judgeDownload(place, upload, download, { ...thing, made });
}

function judgeAcceptance({ session, collection }: Place, made: Exchange): boolean {
  const { status } = made.answer;
  const isDone = status >= 200 && status < 300 && status !== 202;
  const verdict = isDone ? 'holds' : REFUSALS.has(status) ? 'not applicable' : 'violated';
  session.tell('content', verdict, { operation: nameOf(made.operation), collection, shown: [made] }, 'it is accepted');
  return isDone;
}

async function judgeDownload(place: Place, upload: Upload, download: Operation, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const got = await session.ask(download, { keys: keysAt(download, place, thing) }, collection);
  const { status, bytes } = got.answer;
  const about = { operation: nameOf(download), collection, shown: [thing.made!, got] };
  // It is elsewhere, or not ready.
  const isElsewhere = status === 202 || (status >= 300 && status < 400) || [401, 403, 409, 425].includes(status);
  const verdict = isElsewhere ? 'not applicable' : bytes.equals(upload.content) ? 'holds' : 'violated';
  session.tell('content', verdict, about, `the ${upload.content.length} bytes that were uploaded`);
}

/** Values for the path of an operation below an item, whose variables may have other names there. */
function keysAt({ path }: Operation, { collection, keys }: Place, { key }: Thing): Wishes['keys'] {
  const own = [...collection.itemPath.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  const values = [...own.slice(0, -1).map((name) => keys[name] ?? ''), key];
  return Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map((match, at) => [match[1]!, values[at] ?? '']));
}

/** The operations that answer with the content of an item. */
function downloadsOf({ session, collection }: Place): Operation[] {
  const item = bare(collection.itemPath);
  return session.description.operations.filter((operation) => {
    const path = bare(operation.path);
    const rest = path.startsWith(`${item}/`) ? plainName(path.slice(item.length)) : '';
    return operation.method === 'GET' && isDownload(operation) && (path === item || CONTENT.test(rest));
  });
}

/** Whether an operation answers with bytes, and never with JSON. */
function isDownload({ responses }: Operation): boolean {
  const good = responses.flatMap(({ status, bodies }) => (status.startsWith('2') ? bodies : []));
  return good.length > 0 && good.every(isBinary);
}

function isBinary({ mediaType, schema }: Body): boolean {
  return !isJson(mediaType) || isFile(schema);
}

function isFile(schema: JsonObject): boolean {
  const isOctets = schema['contentMediaType'] === 'application/octet-stream';
  return (
    schema['type'] === 'file' || schema['format'] === 'binary' || (isOctets && schema['contentEncoding'] === undefined)
  );
}

/** Whether the types of a download are those that nobody converts. */
function givesBack({ responses, parameters }: Operation, { type }: Upload): boolean {
  const types = responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ bodies }) => bodies.map(({ mediaType }) => mediaType.split(';')[0]!.trim()));
  const isPlain = !parameters.some(({ in: where, required }) => where === 'query' && required);
  return isPlain && types.every((each) => each === type || /octet-stream|^\*\/\*$|^application\/\*$/.test(each));
}

/** How an operation takes a file: in a form, as the body, or in base64. */
function readUpload(
  session: Session,
  collection: Collection,
  operation: Operation,
  octets: Buffer,
): Upload | undefined {
  const bodies = operation.body?.of ?? [];
  const form = bodies.find(({ mediaType }) => mediaType.startsWith('multipart/form-data'));
  const raw = bodies.find(({ mediaType }) => /^(?:application\/octet-stream|text\/plain|\*\/\*)/.test(mediaType));
  if (form !== undefined && fileIn(session, form) !== undefined) {
    const wishes = (): Pick<Wishes, 'raw'> => ({ raw: writeForm(session, form, octets) });
    return { operation, type: 'application/octet-stream', content: octets, wishes };
  }
  if (raw !== undefined && isRaw(session, raw)) {
    const type = raw.mediaType.startsWith('text/') ? 'text/plain' : 'application/octet-stream';
    const content = type === 'text/plain' ? TEXT : octets;
    const mediaType = type === 'text/plain' ? 'text/plain; charset=utf-8' : type;
    return { operation, type, content, wishes: () => ({ raw: { mediaType, body: content } }) };
  }
  return readEncoded(session, collection, operation, octets);
}

/** Whether a body is text or bytes: some descriptions have octets beside JSON and mean the same object. */
function isRaw(session: Session, { schema, mediaType }: Body): boolean {
  const flat = session.schemas.flatten(schema);
  if (mediaType.startsWith('*')) return isFile(flat);
  return isFile(flat) || Object.keys(flat).length === 0 || (typeOf(flat) === 'string' && flat['enum'] === undefined);
}

/** The one file of a form. */
function fileIn(session: Session, { schema }: Body): string | undefined {
  const files = [...propertiesOf(session.schemas, schema)].filter(([, property]) => isFile(property));
  return files.length === 1 ? files[0]![0] : undefined;
}

function writeForm(session: Session, form: Body, content: Buffer): NonNullable<Wishes['raw']> {
  const { schemas } = session;
  const boundary = 'law-of-content-7f3a';
  const required = asList(schemas.flatten(form.schema)['required']).map(String);
  const file = fileIn(session, form)!;
  const fields = [...propertiesOf(schemas, form.schema)].filter(([name]) => name !== file && required.includes(name));
  const parts = fields.map(([name, schema]) => {
    const value = makeValue({ schemas, variant: 0, takesExamples: true }, schema, name);
    if (!isScalar(value)) throw new NoValueError(`${name} is no scalar`);
    return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`);
  });
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file}"; filename="law.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([...parts, Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { mediaType: `multipart/form-data; boundary=${boundary}`, body };
}

/** A file in base64, as a property of the item. */
function readEncoded(
  session: Session,
  collection: Collection,
  operation: Operation,
  octets: Buffer,
): Upload | undefined {
  const { schemas } = session;
  const body = chooseBody(operation);
  if (body === undefined || !isJson(body.mediaType)) return undefined;
  const { schema, wrapper } = itemSchema(collection, schemas, body.schema);
  const encoded = [...propertiesOf(schemas, schema)].filter(([name, of]) => isEncoded(of) && isContentName(name));
  if (encoded.length !== 1) return undefined;
  const [property] = encoded[0]!;
  const content = octets;
  const wishes = (): Pick<Wishes, 'body'> => {
    const made = asObject(makeValue({ schemas, variant: 3, takesExamples: true }, body.schema, 'body'));
    const item = {
      ...(wrapper === undefined ? made : asObject(made[wrapper])),
      [property]: content.toString('base64'),
    };
    const whole = wrapper === undefined ? item : { ...made, [wrapper]: item };
    if (schemas.judge(body.schema, 'request')?.(whole) !== undefined) throw new NoValueError('the body does not fit');
    return { body: whole };
  };
  return { operation, type: 'application/octet-stream', content, property, wishes };
}

function isEncoded(schema: JsonObject): boolean {
  const isWritable =
    schema['readOnly'] !== true && schema['maxLength'] === undefined && schema['pattern'] === undefined;
  return isWritable && (/^(?:byte|base64)$/.test(String(schema['format'])) || schema['contentEncoding'] === 'base64');
}

/** Hashes, signatures and timestamps of rows are in base64 as well, and the server's own. */
function isContentName(name: string): boolean {
  return wordsOf(name).some((word) =>
    /^(?:content|contents|data|file|image|document|body|attachment|bytes|photo|blob|payload|raw)$/.test(word),
  );
}
