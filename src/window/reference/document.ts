import { plainNumbers, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../core/json/parse-json';
import { stringifyJsonPretty } from '../../core/json/stringify-json';

/** How the renderer shows a security scheme, and what it sends for it. */
export interface ShownScheme {
  /** As the renderer knows it: `http` with `basic` or `bearer`, or `apiKey`. */
  readonly scheme: JsonObject;
  /** What the key of the mock makes of it. */
  readonly valueOf: (key: string) => string | { readonly username: string; readonly password: string };
}

/** The document that the renderer shows, and its security schemes by name. */
export interface ShownDocument {
  readonly document: object;
  readonly schemes: ReadonlyMap<string, ShownScheme>;
}

/** Any name goes with a key as the password, as in the command that the start prints. */
const USER = 'user';

/**
 * A description as the renderer can show it: examples with every digit of their numbers, and security schemes in place of
 * which the mock takes its key. Signing in elsewhere would ask another host, and give a token that the mock does not know.
 *
 * @param text - JSON
 */
export function shownDocument(text: string): ShownDocument {
  const root = readDocument(text);
  const components = root['components'];
  const declared = isJsonObject(components) ? components['securitySchemes'] : undefined;
  if (!isJsonObject(components) || !isJsonObject(declared)) return { document: root, schemes: new Map() };
  const schemes = new Map(
    Object.keys(declared).flatMap((name): [string, ShownScheme][] => {
      const scheme = followed(declared, name);
      return scheme === undefined ? [] : [[name, shownScheme(scheme)]];
    }),
  );
  const shown = Object.fromEntries([...schemes].map(([name, { scheme }]) => [name, scheme]));
  return { document: { ...root, components: { ...components, securitySchemes: shown } }, schemes };
}

/** A scheme may refer to another one of the same document. */
function followed(declared: JsonObject, name: string): JsonObject | undefined {
  const seen = new Set<string>();
  for (let next = name; !seen.has(next);) {
    seen.add(next);
    const scheme = ownProperty(declared, next);
    if (!isJsonObject(scheme)) return undefined;
    const { $ref } = scheme;
    if (typeof $ref !== 'string') return scheme;
    next = $ref.replace('#/components/securitySchemes/', '');
  }
  return undefined;
}

function shownScheme(scheme: JsonObject): ShownScheme {
  const type = textOf(scheme, 'type');
  const name = textOf(scheme, 'scheme').toLowerCase();
  if (type === 'http' && name === 'basic') return { scheme, valueOf: (key) => ({ username: USER, password: key }) };
  if (type === 'oauth2' || type === 'openIdConnect') {
    const about = type === 'oauth2' ? 'OAuth 2.0' : 'OpenID Connect';
    return { scheme: asBearer(scheme, about), valueOf: (key) => key };
  }
  if (type !== 'http' || name === 'bearer') return { scheme, valueOf: (key) => key };
  const description = `HTTP authentication “${name}”, as the whole value of the header. ${textOf(scheme, 'description')}`;
  const header = { type: 'apiKey', in: 'header', name: 'Authorization', description };
  return { scheme: header, valueOf: (key) => `${name.charAt(0).toUpperCase()}${name.slice(1)} ${key}` };
}

function asBearer(scheme: JsonObject, about: string): JsonObject {
  const scopes = Object.entries(scopesOf(scheme)).map(
    ([name, text]) => `- \`${name}\`: ${typeof text === 'string' ? text : ''}`,
  );
  const parts = [
    `${about}. The mock takes its API key as the access token.`,
    textOf(scheme, 'description'),
    ...(scopes.length === 0 ? [] : [`Scopes:\n\n${scopes.join('\n')}`]),
  ];
  return { type: 'http', scheme: 'bearer', description: parts.filter((part) => part !== '').join('\n\n') };
}

function scopesOf({ flows = null }: JsonObject): JsonObject {
  const all = isJsonObject(flows) ? Object.values(flows) : [];
  const scopes = all.map((flow) => (isJsonObject(flow) ? (flow['scopes'] ?? null) : null));
  return Object.assign({}, ...scopes.filter((each) => isJsonObject(each))) as JsonObject;
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

/** A value with more digits than a number of JavaScript holds, in JSON without white space as the mock writes it. */
const LONG_NUMBER = /[:,[]-?\d[\d.]{15,}[,}\]]/;

/** Numbers that lose no digit are plain; the reading that keeps the others takes longer, and is rarely needed. */
function readDocument(text: string): JsonObject {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as JsonObject;
  return plainNumbers(
    withExampleTexts(parseJson(text, { maxDepth: MAX_DEPTH, maxNumberLength: 100_000 })),
  ) as JsonObject;
}

/** Examples of bodies and parameters that plain numbers would change become texts, which the renderer shows as they are. */
function withExampleTexts(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withExampleTexts);
  if (!isJsonObject(value)) return value;
  const isSchema = value['content'] === undefined && value['schema'] === undefined;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (isSchema) return [name, withExampleTexts(each)];
      if (name === 'example') return [name, exactExample(each)];
      if (name !== 'examples' || !isJsonObject(each)) return [name, withExampleTexts(each)];
      return [name, Object.fromEntries(Object.entries(each).map(([key, one]) => [key, namedExample(one)]))];
    }),
  );
}

function namedExample(example: JsonValue): JsonValue {
  if (!isJsonObject(example) || example['value'] === undefined) return example;
  return { ...example, value: exactExample(example['value']) };
}

function exactExample(example: JsonValue): JsonValue {
  const exact = stringifyJsonPretty(example);
  return exact === JSON.stringify(plainNumbers(example), undefined, 2) ? example : exact;
}
