import { decodeQueryComponent } from '../http/request-target';
/** What is looked at of a parameter. */
interface Named {
  readonly name: string;
  readonly in: string;
  /** In lower case for a header. */
  readonly key: string;
}

/**
 * One piece of what a path template holds behind its path. Authors write it to have several operations on one path and
 * method: `/#Action=CreateQueue`, `/tags/{arn}#tagKeys`, `/weather?city={city}`.
 */
export interface TellingPart {
  readonly name: string;
  /** Where a request says it. */
  readonly in: 'query' | 'header';
  /** `undefined` where it is enough that the parameter is there. */
  readonly value: string | undefined;
  /** Must a request say it? A fragment may name what is no parameter, which a request may say nevertheless. */
  readonly isNeeded: boolean;
  /** The path parameter that has its value in the query: `city`. */
  readonly variable: string | undefined;
}

/** A path template and what stands behind its path. */
export interface SplitTemplate {
  /** What the path of a request is matched with. */
  readonly path: string;
  /** Written behind `?`; empty where there is none. */
  readonly query: string;
  /** Written behind `#`, which is never sent (RFC 9110 §4.2.5). */
  readonly fragment: string;
}

/** @param written - a key of `paths` */
export function splitTemplate(written: string): SplitTemplate {
  const [beforeFragment = '', ...fragments] = written.split('#');
  const [path = '', ...queries] = beforeFragment.split('?');
  return { path, query: queries.join('?'), fragment: fragments.join('#') };
}

/** What requests to an operation can be told by; nothing is made of a word that names no parameter of it. */
export function tellingParts({ query, fragment }: SplitTemplate, parameters: readonly Named[]): TellingPart[] {
  const ofQuery = pieces(query).map(({ name, value }) => ({
    ...partOf(name, value),
    in: 'query' as const,
    isNeeded: true,
  }));
  const ofFragment = pieces(fragment).flatMap(({ name, value }): TellingPart[] => {
    const place = placeOf(name, parameters);
    // `#overload=stream` says what could be sent, `#another` is a word for people.
    if (place === undefined && (value === undefined || !/^[\w.-]+$/.test(name))) return [];
    return [{ ...partOf(name, value), in: place ?? 'query', isNeeded: place !== undefined }];
  });
  return [...ofQuery, ...ofFragment];
}

function pieces(text: string): { readonly name: string; readonly value: string | undefined }[] {
  return text.split('&').flatMap((piece) => {
    const [name = '', ...values] = piece.split('=');
    return name === '' ? [] : [{ name, value: values.length === 0 ? undefined : values.join('=') }];
  });
}

function partOf(name: string, value: string | undefined): Omit<TellingPart, 'in' | 'isNeeded'> {
  const variable = /^\{([^{}]+)\}$/.exec(value ?? '')?.[1];
  const isOpen = value === undefined || value.includes('{');
  return { name, value: isOpen ? undefined : (decodeQueryComponent(value) ?? value), variable };
}

function placeOf(name: string, parameters: readonly Named[]): TellingPart['in'] | undefined {
  const named = parameters.find(
    (parameter) => (parameter.in === 'query' && parameter.name === name) || isHeader(parameter, name),
  );
  return named === undefined ? undefined : named.in === 'header' ? 'header' : 'query';
}

function isHeader(parameter: Named, name: string): boolean {
  return parameter.in === 'header' && parameter.key === name.toLowerCase();
}
