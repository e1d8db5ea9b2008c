import { headerValue, withoutHeaders } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import type { RecordedBody, RecordedRequest } from '../exchange/recorded-exchange';
import { BOUNDARY, bytesBody, type FormPart, multipartForm, omittedBody, textBody } from './bodies';
import type { CurlOption } from './curl-options';
import { basicAuthorization, readUrl } from './recorded-url';

/** What one transfer of a command line sends; several where it names several addresses. */
export interface CurlTransfers {
  readonly requests: readonly { readonly origin: string; readonly request: RecordedRequest }[];
  /** In words, as of a `ReadProblem`. */
  readonly problems: readonly { readonly problem: string; readonly done: string }[];
}

/** What a command line reads from elsewhere. */
export interface CurlInputs {
  /** A file by its path; `undefined` where it cannot be read. */
  readonly file: (path: string) => Uint8Array | undefined;
  /** Standard input; `undefined` where nothing is known of it. */
  readonly input: string | undefined;
}

/**
 * The requests that curl sends by some options, as its manual says: the last of an option wins, data of several `-d` is
 * joined by `&`, and of a header without a value nothing is sent. Headers that curl adds by itself and that say nothing of
 * the API, such as `User-Agent`, are left out.
 */
export function requestsOf(options: readonly CurlOption[], inputs: CurlInputs): CurlTransfers {
  const transfer = new CurlTransfer(inputs);
  for (const option of options) transfer.take(option);
  return transfer.finish();
}

/** A piece of data; `undefined` where a file was not there. */
interface Piece {
  readonly text: Uint8Array | undefined;
  /** JSON is put together as it is, all else with `&`. */
  readonly isJson: boolean;
}

class CurlTransfer {
  private readonly inputs: CurlInputs;
  private readonly problems: { problem: string; done: string }[] = [];
  private readonly urls: string[] = [];
  private readonly queries: string[] = [];
  private readonly pieces: Piece[] = [];
  private readonly parts: FormPart[] = [];
  /** As given, an empty value for one that is not to be sent. */
  private readonly headers: [name: string, value: string | undefined][] = [];
  private readonly settings = new Map<string, string>();
  private isIncomplete = false;

  /** Options that add to others of their name; of all else the last one holds. */
  private readonly takers: Readonly<Record<string, (value: string) => void>> = {
    url: (value) => void this.urls.push(value),
    'url-query': (value) => void this.queries.push(value.startsWith('+') ? value.slice(1) : this.urlEncoded(value)),
    header: (value) => {
      this.takeHeader(value);
    },
    data: (value) => {
      this.takeData(this.dataOf(value, true));
    },
    'data-ascii': (value) => {
      this.takeData(this.dataOf(value, true));
    },
    'data-binary': (value) => {
      this.takeData(this.dataOf(value, false));
    },
    'data-raw': (value) => {
      this.takeData(Buffer.from(value));
    },
    'data-urlencode': (value) => {
      this.takeData(Buffer.from(this.urlEncoded(value)));
    },
    json: (value) => {
      this.pieces.push({ text: this.dataOf(value, false), isJson: true });
      this.settings.set('json', '');
    },
    form: (value) => {
      this.takeForm(value, true);
    },
    'form-string': (value) => {
      this.takeForm(value, false);
    },
    config: () => {
      this.problems.push({ problem: 'A file with options is named with --config', done: 'its options were not read' });
    },
  };

  constructor(inputs: CurlInputs) {
    this.inputs = inputs;
  }

  take({ name, value }: CurlOption): void {
    const take = Object.hasOwn(this.takers, name) ? this.takers[name] : undefined;
    if (take === undefined) this.settings.set(name, value);
    else take(value);
  }

  private takeData(text: Uint8Array | undefined): void {
    this.pieces.push({ text, isJson: false });
  }

  finish(): CurlTransfers {
    if (this.urls.length === 0) this.problems.push({ problem: 'The command has no URL', done: 'left out' });
    const requests = this.urls.flatMap((url) => {
      const address = readUrl(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url) ? url : `http://${url}`);
      if (address === undefined) {
        this.problems.push({ problem: 'The URL of the command is not one of HTTP', done: 'left out' });
        return [];
      }
      return [{ origin: address.origin, request: this.request(address.target, address.authorization) }];
    });
    if (this.isIncomplete)
      this.problems.push({ problem: 'A file that the command sends is not beside the file', done: 'kept without it' });
    return { requests, problems: this.problems };
  }

  private request(target: string, authorization: string | undefined): RecordedRequest {
    const isQuery = this.settings.has('get');
    const queries = [...this.queries, ...(isQuery ? [Buffer.from(this.data().text ?? []).toString()] : [])];
    const headers = this.sentHeaders(authorization, isQuery);
    return {
      method: this.method(isQuery),
      target: withQueries(this.settings.get('request-target') ?? target, queries),
      headers,
      body: isQuery ? undefined : this.body(headerValue(headers, 'content-type') ?? ''),
    };
  }

  private method(isQuery: boolean): string {
    const asked = this.settings.get('request');
    if (asked !== undefined && asked !== '') return asked.toUpperCase();
    if (this.settings.has('head')) return 'HEAD';
    if (this.settings.has('upload-file')) return 'PUT';
    return (this.pieces.length > 0 && !isQuery) || this.parts.length > 0 ? 'POST' : 'GET';
  }

  /** Those that were given, and what options say in other words, unless a header says it. */
  private sentHeaders(inUrl: string | undefined, isQuery: boolean): RawHeaders {
    const given = this.headers.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
    const removed = new Set(this.headers.flatMap(([name, value]) => (value === undefined ? [name.toLowerCase()] : [])));
    const implied = this.impliedHeaders(inUrl, isQuery).flatMap(([name, value]) => {
      const isGiven = value === undefined || headerValue(given, name) !== undefined;
      return isGiven ? [] : [name, value];
    });
    return [...given, ...withoutHeaders(implied, removed)];
  }

  private impliedHeaders(inUrl: string | undefined, isQuery: boolean): (readonly [string, string | undefined])[] {
    const isJson = this.settings.has('json');
    const [cookie, range] = [this.settings.get('cookie'), this.settings.get('range')];
    return [
      ['Authorization', this.authorization() ?? inUrl],
      ['User-Agent', this.settings.get('user-agent')],
      ['Referer', this.settings.get('referer')?.replace(/;auto$/, '')],
      ['Range', range === undefined ? undefined : `bytes=${range}`],
      // Without a `=` it names a file of cookies.
      ['Cookie', cookie?.includes('=') === true ? cookie : undefined],
      ['Accept', isJson ? 'application/json' : undefined],
      ['Content-Type', isQuery ? undefined : this.contentType(isJson)],
    ];
  }

  private authorization(): string | undefined {
    const [user, bearer] = [this.settings.get('user'), this.settings.get('oauth2-bearer')];
    if (bearer !== undefined) return `Bearer ${bearer}`;
    const [, name = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? [];
    return user === undefined ? undefined : basicAuthorization(name, password);
  }

  private contentType(isJson: boolean): string | undefined {
    if (this.parts.length > 0) return `multipart/form-data; boundary=${BOUNDARY}`;
    if (this.pieces.length === 0) return undefined;
    return isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  }

  private body(contentType: string): RecordedBody | undefined {
    if (this.parts.length > 0) return bytesBody(multipartForm(this.parts, BOUNDARY), contentType);
    const upload = this.settings.get('upload-file');
    const { text, isWhole } = upload === undefined ? this.data() : this.wholeFile(upload);
    if (!isWhole) return omittedBody('a file that it is sent from is not there', undefined);
    // What is typed on a command line is text, whatever its type says.
    return text === undefined ? undefined : (typedText(text) ?? bytesBody(text, contentType));
  }

  private data(): { readonly text: Uint8Array | undefined; readonly isWhole: boolean } {
    if (this.pieces.length === 0) return { text: undefined, isWhole: true };
    const joined = this.pieces.flatMap(({ text, isJson }, index) => [
      Buffer.from(index === 0 || isJson ? '' : '&'),
      text ?? new Uint8Array(),
    ]);
    return { text: Buffer.concat(joined), isWhole: this.pieces.every(({ text }) => text !== undefined) };
  }

  private wholeFile(path: string): { readonly text: Uint8Array | undefined; readonly isWhole: boolean } {
    const text = this.read(path);
    return { text, isWhole: text !== undefined };
  }

  private takeHeader(line: string): void {
    if (line.startsWith('@')) {
      const text = Buffer.from(this.read(line.slice(1)) ?? []).toString();
      for (const each of text.split(/\r?\n/)) if (each.trim() !== '') this.takeHeader(each);
      return;
    }
    const [, name = '', end = '', value = ''] = /^([^:;]+)([:;])\s*(.*?)\s*$/s.exec(line) ?? [];
    if (name === '') return;
    // `Name:` takes a header away that curl would send, and `Name;` sends it empty.
    this.headers.push([name.trim(), end === ':' && value === '' ? undefined : value]);
  }

  /** `-d @file` without its line ends; a text as it is. */
  private dataOf(value: string, isStripped: boolean): Uint8Array | undefined {
    if (!value.startsWith('@')) return Buffer.from(value);
    const bytes = this.read(value.slice(1));
    if (bytes === undefined || !isStripped) return bytes;
    return bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d && byte !== 0);
  }

  /** `content`, `=content`, `name=content`, `@file`, `name@file`: what stands in for the content is encoded. */
  private urlEncoded(value: string): string {
    const [, name = '', sign = '', rest = value] = /^([^=@]*)([=@])(.*)$/s.exec(value) ?? [];
    const content = sign === '@' ? Buffer.from(this.read(rest) ?? []).toString() : rest;
    const encoded = encodeURIComponent(content.toWellFormed()).replace(/[!'()*]/g, (character) => {
      return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
    });
    return name === '' ? encoded : `${name}=${encoded}`;
  }

  private takeForm(value: string, mayBeFile: boolean): void {
    const at = value.indexOf('=');
    const [name, rest] = at === -1 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
    if (!mayBeFile) {
      this.parts.push({ name, value: rest });
      return;
    }
    const [content = '', ...attributes] = rest.split(/;(?=(?:type|filename|headers|encoder)=)/);
    const attribute = (key: string): string | undefined =>
      attributes
        .find((each) => each.startsWith(`${key}=`))
        ?.slice(key.length + 1)
        .replace(/^"(.*)"$/, '$1');
    const contentType = attribute('type');
    if (content.startsWith('@')) {
      const path = content.slice(1).replace(/^"(.*)"$/, '$1');
      const fileName = attribute('filename') ?? path.split(/[\\/]/).at(-1) ?? path;
      this.parts.push({ name, value: { fileName, bytes: this.read(path) }, contentType });
    } else if (content.startsWith('<')) {
      this.parts.push({ name, value: Buffer.from(this.read(content.slice(1)) ?? []).toString(), contentType });
    } else this.parts.push({ name, value: content.replace(/^"(.*)"$/s, '$1'), contentType });
  }

  /** `-` is standard input. */
  private read(path: string): Uint8Array | undefined {
    const bytes = path === '-' ? toBytes(this.inputs.input) : this.inputs.file(path);
    if (bytes === undefined) this.isIncomplete = true;
    return bytes;
  }
}

function toBytes(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

function typedText(bytes: Uint8Array): RecordedBody | undefined {
  try {
    return textBody(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function withQueries(target: string, queries: readonly string[]): string {
  const query = queries.filter((each) => each !== '').join('&');
  if (query === '') return target;
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}
