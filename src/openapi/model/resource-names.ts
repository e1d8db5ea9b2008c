import {
  type MediaTypeEntry,
  type Operation,
  type Parameter,
  permissiveSchema,
  type Property,
  type ResponseSpec,
  type Schema,
} from './operation';

/** How the properties and items of schemas are found. */
export interface NameReader {
  propertiesOf(schema: Schema): ReadonlyMap<string, Property>;
  schemaAt(pointer: string): Schema | undefined;
}

/** A word and the variable behind it: `secrets`, `{secret}`. */
type Pair = readonly [noun: string, variable: string];

/** `projects/{project}/secrets/{secret}`, `projects/[PROJECT]`: nouns and variables in turn. */
const NAMED = /(?:^|[\s`'"“(:])((?:[a-z][A-Za-z]*\/(?:\*|\{[^{}/\s]+\}|\[[^\]/\s]+\])(?:\/|(?![\w/])))+)/g;
/** A variable that is a segment of its own, with a verb behind a colon at most. */
const VARIABLE = /\{([^{}/]+)\}(?=\/|:[A-Za-z][\w-]*$|$)/g;
/** The verb of an operation stands at the end of its id, the service at the beginning: `vault.projects.secrets.list`. */
const ID = /^[\w-]+(?:\.[A-Za-z]\w*){2,}$/;

/**
 * Operations whose paths have variables for names of several segments, `/v1/{name}` where names are `projects/a/secrets/b`,
 * as operations at the paths that those names make: `/v1/projects/{project}/secrets/{secret}`. That names are such is
 * told by the pattern, the example or the description of a variable, or by an id that names the nouns. An item of each
 * collection is found there, whichever of them the one operation documents.
 *
 * @returns for each operation those that stand for it, most often itself alone
 */
export function expandNames(
  operations: readonly Operation[],
  reader: NameReader,
): Map<Operation, readonly Operation[]> {
  const told = new Map(operations.map((operation) => [operation, namesDescribed(operation)]));
  const expanded = new Map<Operation, readonly Operation[]>();
  if (![...told.values()].some((names) => names.length > 0)) return new Map(operations.map((each) => [each, [each]]));
  for (const operation of operations) {
    const names = told.get(operation) ?? [];
    const found = names.length > 0 ? names : namesInId(operation);
    const paths = found.map(({ variable, pairs }) => withName(operation, variable, pairs));
    expanded.set(operation, distinct(paths.length === 0 ? [operation] : paths));
  }
  addItems(operations, expanded, reader);
  return expanded;
}

interface Named {
  /** Of the path as it is written. */
  readonly variable: string;
  readonly pairs: readonly Pair[];
}

/** Names that the description shows of a variable of the path. */
function namesDescribed({ path, parameters }: Operation): Named[] {
  return [...path.matchAll(VARIABLE)].flatMap(([, variable = '']) => {
    const parameter = parameters.find(({ in: place, name }) => place === 'path' && name === variable);
    if (parameter === undefined || !canHoldName(parameter)) return [];
    const named = describingTexts(parameter).flatMap((text) => namesIn(text, variable));
    // "Use it with GET /books/{bookId}" repeats the path that the variable stands in.
    return named.filter(({ pairs }) => !path.includes(`/${pairs[0]?.[0] ?? ''}/{${variable}}`));
  });
}

/** A UUID or a number has no slashes. */
function canHoldName({ schema }: Parameter): boolean {
  const { type = 'string', format } = schema?.value ?? {};
  return type === 'string' && format === undefined;
}

/** Good enough to call a variable by. */
function singularOf(noun: string): string {
  return noun.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
}

function describingTexts({ schema, description }: Parameter): string[] {
  const { pattern, example } = schema?.value ?? {};
  const plain = typeof pattern === 'string' ? pattern.replaceAll(/\[\^\/\]\+|\[\^\/\]\*|\[\w-]\+/g, '*') : '';
  return [plain.replaceAll(/[\^$()]/g, ''), typeof example === 'string' ? example : '', description ?? ''];
}

function namesIn(text: string, variable: string): Named[] {
  // What goes on with a word of its own, as in `latest` for the newest, is another name than that.
  const names = [...text.matchAll(NAMED)].flatMap(([, name = '']) => (name.endsWith('/') ? [] : [name]));
  return names.map((name) => {
    const segments = name.split('/');
    const pairs = segments.flatMap((noun, index): Pair[] =>
      index % 2 === 0 ? [[noun, (segments[index + 1] ?? '').replaceAll(/[^\w]/g, '')]] : [],
    );
    return { variable, pairs };
  });
}

/** `vault.projects.secrets.addVersion` speaks of secrets of projects. */
function namesInId({ id, path }: Operation): Named[] {
  const [[, variable = ''] = []] = [...path.matchAll(VARIABLE)];
  if (!ID.test(id) || variable === '') return [];
  const nouns = id.split('.').slice(1, -1);
  const behind = /\}\/([^/:{}]+)$/.exec(path)?.[1];
  const own = nouns.at(-1) === behind ? nouns.slice(0, -1) : nouns;
  // Where the path has the nouns itself, its variables are no names of several segments.
  if (own.some((noun) => path.split('/').includes(noun))) return [];
  return own.length === 0 ? [] : [{ variable, pairs: own.map((noun): Pair => [noun, '']) }];
}

function withName(operation: Operation, variable: string, pairs: readonly Pair[]): Operation {
  const taken = new Set(operation.parameters.map(({ name }) => name));
  const named = pairs.map(([noun, told]): Pair => {
    const own = told === '' || taken.has(told) ? singularOf(noun) : told;
    const name = taken.has(own) ? `${own}Name` : own;
    taken.add(name);
    return [noun, name];
  });
  const text = named.map(([noun, name]) => `${noun}/{${name}}`).join('/');
  const parameters = operation.parameters.flatMap((parameter): Parameter[] => {
    if (parameter.in !== 'path' || parameter.name !== variable) return [parameter];
    const { schema } = parameter;
    return named.map(([, name]) => ({
      ...parameter,
      name,
      key: name,
      description: undefined,
      schema: freeText(schema),
    }));
  });
  return {
    ...operation,
    path: operation.path.replace(`{${variable}}`, text),
    names: named.map(([noun]) => noun),
    parameters,
  };
}

/** A part of a name is not what the pattern says of the whole. */
function freeText(schema: Schema | undefined): Schema | undefined {
  if (schema?.value['pattern'] === undefined) return schema;
  return permissiveSchema(schema.pointer, { type: 'string' });
}

function shapeOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

function distinct(operations: readonly Operation[]): Operation[] {
  const seen = new Set<string>();
  return operations.flatMap((operation, index) => {
    const shape = shapeOf(operation);
    if (seen.has(shape)) return [];
    seen.add(shape);
    return [index === 0 ? operation : { ...operation, id: `${operation.method} ${operation.path}` }];
  });
}

/** `GET /v1/{name}` documents the items of one collection; those of the others are found there as well. */
function addItems(
  written: readonly Operation[],
  expanded: Map<Operation, readonly Operation[]>,
  reader: NameReader,
): void {
  const all = [...expanded.values()].flat();
  const shapes = new Set(all.map(shapeOf));
  const collections = all.filter(
    ({ method, path, names }) => names !== undefined && method !== 'DELETE' && isCollection(path),
  );
  for (const operation of written) {
    const prefix = /^(.*\/)\{[^{}/]+\}$/.exec(operation.path)?.[1];
    const own = expanded.get(operation) ?? [];
    if (prefix === undefined || !own.some(({ names }) => names !== undefined)) continue;
    const added: Operation[] = [];
    for (const collection of collections.filter(({ path }) => path.startsWith(prefix))) {
      const path = collection.path.slice(prefix.length).split('/');
      const pairs = path.flatMap((noun, index): Pair[] =>
        index % 2 === 0 ? [[noun, (path[index + 1] ?? '').replaceAll(/[{}]/g, '')]] : [],
      );
      const [[, variable = ''] = []] = [...operation.path.matchAll(VARIABLE)];
      const item = withName(operation, variable, pairs);
      if (shapes.has(shapeOf(item)) || !isOffered(operation, collection, all)) continue;
      shapes.add(shapeOf(item));
      added.push({
        ...item,
        id: `${item.method} ${item.path}`,
        ...withSchema(item, itemSchema(collection, all, reader)),
      });
    }
    expanded.set(operation, [...own, ...added]);
  }
}

function isCollection(path: string): boolean {
  return /\}\/[^/:{}]+$/.test(path);
}

/** What cannot be made is only read. */
function isOffered({ method }: Operation, { path }: Operation, all: readonly Operation[]): boolean {
  return method === 'GET' || all.some((other) => other.path === path && other.method === 'POST');
}

/** The items of a collection: what makes one takes, else what its list holds. */
function itemSchema({ path }: Operation, all: readonly Operation[], reader: NameReader): Schema | undefined {
  const at = all.filter((other) => other.path === path);
  const made = at.find(({ method }) => method === 'POST')?.requestBody?.content[0]?.schema;
  if (made !== undefined) return made;
  const listed = successOf(at.find(({ method }) => method === 'GET'))?.schema;
  const list = listed === undefined ? undefined : reader.propertiesOf(listed).get(path.split('/').at(-1) ?? '');
  return list === undefined ? undefined : reader.schemaAt(`${list.pointer}/items`);
}

function successOf(operation: Operation | undefined): MediaTypeEntry | undefined {
  return [...(operation?.responses ?? [])].find(([status]) => status.startsWith('2'))?.[1].content[0];
}

/** The same operation, which answers (or takes) another thing; a removal answers what it did. */
function withSchema(operation: Operation, schema: Schema | undefined): Partial<Operation> {
  if (schema === undefined || operation.method === 'DELETE') return {};
  const entryOf = (entry: MediaTypeEntry): MediaTypeEntry => ({ ...entry, schema, examples: [] });
  const responses = new Map(
    [...operation.responses].map(([status, response]): [string, ResponseSpec] => [
      status,
      status.startsWith('2') ? { ...response, content: response.content.map(entryOf) } : response,
    ]),
  );
  const { requestBody } = operation;
  return requestBody === undefined
    ? { responses }
    : { responses, requestBody: { ...requestBody, content: requestBody.content.map(entryOf) } };
}
