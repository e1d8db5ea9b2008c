import { ConfigError, messageOf, StandinError } from '../../core/errors/standin-error';
import { parsePointer } from '../../core/json/json-pointer';
import type { TellProgress } from '../../core/text/progress';
import type { ApiModel } from '../../openapi/model/api-model';
import type { CleanExchange, RecordedExchange, SecretUse } from '../exchange/recorded-exchange';
import { createAnonymiser } from './anonymise';
import { ExchangeCleaner } from './exchange-cleaner';
import type { ReplacedData } from './made-up-persons';
import { sureSecrets } from './secret-looks';
import { type SecretForm, SecretSearch } from './secret-search';
import { SecretStore } from './secret-store';

export interface SecretVaultOptions {
  /** Says where secrets stand; `emptyApi()` where there is no description. */
  readonly api: ApiModel;
  /** Path of the target's URL: the paths of the description may be below it. */
  readonly basePath?: string | undefined;
  /** Names of headers, of requests and responses, whose values are secrets as well. */
  readonly secretHeaders?: readonly string[] | undefined;
  /** JSON pointers into bodies, in which `*` stands for any name or index: all that stands there is a secret. */
  readonly secretPointers?: readonly string[] | undefined;
  /** Replace personal data by made-up values as well. */
  readonly anonymise?: boolean | undefined;
}

/** A secret that stands in a text that is to be written. */
export interface LeftSecret {
  readonly name: string;
  readonly form: SecretForm;
  /** In UTF-16 units. */
  readonly offset: number;
  /** 1-based. */
  readonly line: number;
}

/** Knows the secrets of one recording. The only maker of a {@link CleanExchange}. */
export interface SecretVault {
  /**
   * An exchange with marks in the place of its secrets. What was a secret once is one wherever it stands from then on, in
   * this exchange and all later ones, in any encoding. An exchange that is clean already comes out as it went in, and the
   * names of its marks are taken from then on.
   */
  clean(exchange: RecordedExchange): CleanExchange;
  /**
   * All exchanges of a recording that has ended: what the last one shows to be a secret is none of the first one's values
   * either.
   *
   * @param tell - called as it goes on: it takes long where there is much
   */
  cleanAll(exchanges: readonly RecordedExchange[], tell?: TellProgress): CleanExchange[];
  /** Takes the names of all marks of a text, as of a recording that is read, so that no other secret gets one of them. */
  knowMarks(text: string): void;
  /** The secrets that marks stand for, in the order in which they were met. */
  uses(): readonly SecretUse[];
  /** How many values of persons were replaced, by their kinds; none unless that was asked for. */
  anonymised(): readonly ReplacedData[];
  /** Where a text that is to be written holds a secret that was met. */
  scan(text: string): readonly LeftSecret[];
  /**
   * @param file - its name, for the message
   * @throws StandinError `SECRET_NOT_REPLACED` when a text holds a secret; the message shows nothing of it
   */
  assertClean(file: string, text: string): void;
}

/** @throws ConfigError for a pointer that is not one */
export function createSecretVault(options: SecretVaultOptions): SecretVault {
  const { api, basePath, secretHeaders = [], secretPointers = [] } = options;
  const search = new SecretSearch();
  const store = new SecretStore(api, search);
  const cleaner = new ExchangeCleaner(api, store, {
    basePath,
    headers: new Set(secretHeaders.map((name) => name.toLowerCase())),
    isPointed: parseSecretPointers(secretPointers),
  });
  const anonymiser = options.anonymise === true ? createAnonymiser(api, basePath) : undefined;
  const scan = (text: string): LeftSecret[] => {
    const sure = sureSecrets(text).map((each) => ({ ...each, form: 'as it is' as const }));
    return [...search.find(text), ...sure].map(({ name, form, start: offset }) => {
      return { name, form, offset, line: lineAt(text, offset) };
    });
  };
  const clean = (exchange: RecordedExchange): CleanExchange => {
    const withoutSecrets = cleaner.clean(exchange);
    return anonymiser === undefined ? withoutSecrets : anonymiser.anonymise(withoutSecrets);
  };
  return {
    clean,
    cleanAll(exchanges, tell) {
      const total = exchanges.length;
      const cleanTold = (exchange: RecordedExchange, done: number, phase: string): CleanExchange => {
        tell?.({ phase, what: 'exchanges', done, total });
        return clean(exchange);
      };
      for (const exchange of exchanges) cleaner.knowMarks(exchange);
      for (const [done, exchange] of exchanges.entries()) cleanTold(exchange, done, 'looking for secrets in');
      return exchanges.map((exchange, done) => cleanTold(exchange, done, 'replacing secrets in'));
    },
    anonymised: () => anonymiser?.replaced() ?? [],
    knowMarks: (text) => {
      store.knowMarks(text);
    },
    uses: () => store.uses(),
    scan,
    assertClean(file, text) {
      const [left] = scan(text);
      if (left !== undefined) throw notReplaced(file, left);
    },
  };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function notReplaced(file: string, { name, form, line }: LeftSecret): StandinError {
  return new StandinError(
    'SECRET_NOT_REPLACED',
    `${file}:${line} would hold the secret ${name}, ${form}: nothing was written`,
    {
      hint: 'It stood in the traffic before it was known to be a secret. Name where: --secret-header NAME, --secret-pointer POINTER.',
    },
  );
}

/**
 * What the user calls secret by `--secret-pointer`: JSON pointers (RFC 6901) into bodies, in which `*` is any name or
 * index. What stands below such a place is a secret too.
 *
 * @returns whether a place is one, by the names and indexes that lead to it
 * @throws ConfigError `CONFIG_INVALID`
 */
function parseSecretPointers(pointers: readonly string[]): (path: readonly string[]) => boolean {
  const patterns = pointers.map(parsePattern);
  return (path) =>
    patterns.some(
      (pattern) =>
        pattern.length <= path.length && pattern.every((segment, index) => segment === '*' || segment === path[index]),
    );
}

function parsePattern(pointer: string): readonly string[] {
  try {
    return parsePointer(pointer);
  } catch (error) {
    throw new ConfigError('CONFIG_INVALID', `--secret-pointer: ${messageOf(error)}`, {
      hint: 'Write the way to the value in the body of a request or a response: /user/token, or /items/*/token for each element of a list.',
      cause: error,
    });
  }
}
