import pc from 'picocolors';
import type * as PinoNamespace from 'pino';
import { formatSourceLocation, type SourceFinding, stackOf } from '../../core/errors/standin-error';
import type { HttpResponse, RequestHead } from '../../core/http/message';
import { parseTarget } from '../../core/http/request-target';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { isJsonObject, type JsonObject } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { groupBy } from '../../core/text/group-by';
import { counted, printable, printableJson } from '../../core/text/printable';
import type { Mount } from '../../openapi/model/base-paths';
import { selectOperation } from '../../openapi/model/operation-selection';
import { errorRole, type ErrorRole } from '../../openapi/view/responses';
import { printText } from '../terminal/terminal';

/** What a line of the log says beside method, target and status; what is not known is left out. */
interface RequestFacts {
  /** operationId. */
  readonly operation?: string;
  /** Of a rejection, as its body has it, else as the mock knows it. */
  readonly code?: string;
  readonly message?: string;
  /** What the client should know although it was answered. */
  readonly warnings?: HttpResponse['warnings'];
}

/** Tells of an answered request which operation it was for and why it was rejected. */
type RequestFactsOf = (head: RequestHead, response: HttpResponse) => RequestFacts;

/** @param mounts - what answers where, in the order that a request looks for it */
export function requestFacts(mounts: readonly Mount[]): RequestFactsOf {
  return (head, { status, body, diagnostic, warnings }) => {
    const operation = idOf(mounts, head);
    const error = status >= 400 && typeof body === 'string' ? objectIn(body) : undefined;
    const code = diagnostic?.code ?? textOf(error, 'code');
    const message = diagnostic?.message ?? textOf(error, 'message');
    return {
      ...(operation === undefined ? {} : { operation }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
    };
  };
}

function idOf(mounts: readonly Mount[], { method, target, headers }: RequestHead): string | undefined {
  const { path, query = '' } = parseTarget(target) ?? {};
  const inside = mounts.filter(({ basePath }) => path?.startsWith(`${basePath}/`) === true);
  const match = inside.map(({ basePath, routes }) => routes.match(path?.slice(basePath.length) ?? '', method));
  const route = match.find((each) => each !== undefined)?.route;
  if (route === undefined) return undefined;
  const asked = method === 'HEAD' && !route.operations.has('HEAD') ? 'GET' : method;
  return selectOperation(route, asked, query, headers)?.id;
}

function objectIn(body: string): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The property that has the role by its exact name, else the first one that could have it. */
function textOf(error: JsonObject | undefined, role: Exclude<ErrorRole, 'status'>): string | undefined {
  if (error === undefined) return undefined;
  const exact = role === 'message' ? ['message', 'detail'] : ['code'];
  const names = [...exact, ...Object.keys(error).filter((name) => errorRole(name) === role)];
  for (const name of names) {
    const value = Object.hasOwn(error, name) ? error[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

type PinoModule = typeof PinoNamespace;

export type LogFormat = 'pretty' | 'json' | 'silent';

/** One line for each answered request, to stdout; defects and warnings to stderr. */
export interface RequestLog {
  /** Are its lines read by programs, which want everything? */
  readonly isForPrograms: boolean;
  readonly onResponse: ((head: RequestHead, response: HttpResponse, startedAt: bigint) => void) | undefined;
  readonly reportDefect: (error: unknown, head: RequestHead) => void;
  /** Before the first request: lets the lines say what the requests are about. */
  describe(tellFacts: RequestFactsOf): void;
  warn(finding: SourceFinding): void;
  /** @param packs - names of those that are used */
  listening(url: string, title: string, packs: readonly string[]): void;
  /** @param text - what happened, for people @param facts - the same for programs */
  notice(text: string, facts: Readonly<Record<string, unknown>>): void;
  /** Something that who runs the mock has to know; goes to stderr. */
  alert(text: string, facts: Readonly<Record<string, unknown>>): void;
  /** Writes what is still held back. */
  readonly flush: () => void;
}

export function createRequestLog(format: LogFormat): RequestLog {
  return format === 'json' ? jsonLog() : prettyLog(format === 'silent');
}

function prettyLog(isSilent: boolean): RequestLog {
  // Lines of one turn of the loop go out together: a write for each would halve the throughput.
  let held = '';
  const flush = (): void => {
    if (held === '') return;
    printText(process.stdout, held);
    held = '';
  };
  return {
    isForPrograms: false,
    onResponse: isSilent
      ? undefined
      : (head, response, startedAt) => {
          if (held === '') setImmediate(flush);
          held += prettyLine(head, response, Number(process.hrtime.bigint() - startedAt) / 1e6);
        },
    reportDefect(error, { method, target }) {
      printText(
        process.stderr,
        `${pc.red('defect')} in ${method} ${printable(target)}\n${stackOf(error).split('\n').map(printable).join('\n')}\n`,
      );
    },
    // Its lines have the whole body of a rejection.
    describe: () => undefined,
    warn(finding) {
      printText(
        process.stderr,
        `${pc.yellow('warning')} ${printable(`${formatSourceLocation(finding)} ${finding.rule}: ${finding.message}`)}\n`,
      );
      if (finding.hint !== undefined) printText(process.stderr, `  hint: ${printable(finding.hint)}\n`);
    },
    listening: () => undefined,
    notice(text) {
      flush();
      printText(process.stdout, `${text}\n`);
    },
    alert(text) {
      printText(process.stderr, `${text}\n`);
    },
    flush,
  };
}

function prettyLine({ method, target }: RequestHead, response: HttpResponse, milliseconds: number): string {
  const { status, body, diagnostic, warnings = [] } = response;
  const colour = status >= 500 ? pc.red : status >= 400 ? pc.yellow : pc.green;
  // The reason of a rejection is what the reader of the log wants next.
  const told = status >= 400 && typeof body === 'string' ? ` ${pc.dim(printable(body))}` : '';
  const more = diagnostic === undefined ? warnings : [diagnostic, ...warnings];
  const why = told + more.map(({ code, message }) => ` ${printable(`${code}: ${message}`)}`).join(';');
  return `${new Date().toISOString().slice(11, 23)} ${method.padEnd(6)} ${printable(target).slice(0, 200)} ${colour(String(status))} ${milliseconds.toFixed(1)} ms${why}\n`;
}

function jsonLog(): RequestLog {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only for this format: pino takes as long as our whole core
  const { pino } = require('pino') as PinoModule;
  const destination = pino.destination({ dest: 1, sync: true });
  // One place hears of an output that is lost, who wrote to it.
  destination.on('error', (error: Error) => process.stdout.emit('error', error));
  const hooks = { streamWrite: printableJson };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks }, destination);
  let tell: RequestFactsOf = () => ({});
  return {
    isForPrograms: true,
    onResponse(head, response, startedAt) {
      const { method, target } = head;
      const { status } = response;
      const ms = Math.round(Number(process.hrtime.bigint() - startedAt) / 1e4) / 100;
      logger.info({ method, target, status, ms, ...tell(head, response) }, 'request');
    },
    describe(tellFacts) {
      tell = tellFacts;
    },
    reportDefect(error, { method, target }) {
      logger.error({ method, target, err: error }, 'defect');
    },
    warn(finding) {
      logger.warn(finding, finding.message);
    },
    listening(url, title, packs) {
      logger.info({ url, title, ...(packs.length === 0 ? {} : { packs }) }, 'listening');
    },
    notice(text, facts) {
      logger.info(facts, text);
    },
    alert(text, facts) {
      logger.warn(facts, text);
    },
    flush: () => undefined,
  };
}

/** So many warnings are shown whole at the start. */
const MOST_SHOWN = 6;

/**
 * Tells the warnings about a description: all of them where they are few, else one of each kind and how many there are.
 * A program that reads the log gets every one.
 */
export function logWarnings(
  warnings: readonly SourceFinding[],
  log: Pick<RequestLog, 'isForPrograms' | 'warn' | 'alert'>,
): void {
  if (warnings.length <= MOST_SHOWN || log.isForPrograms) {
    for (const warning of warnings) log.warn(isDisabling(warning) ? { ...warning, hint: undefined } : warning);
    return;
  }
  const disabling = warnings.filter(isDisabling);
  if (disabling.length > 0 && disabling.length < warnings.length) {
    logWarnings(disabling, log);
    logWarnings(
      warnings.filter((warning) => !isDisabling(warning)),
      log,
    );
    return;
  }
  const kinds = groupBy(warnings, ({ rule }) => rule);
  for (const [warning] of kinds.slice(0, MOST_SHOWN)) log.warn({ ...warning, hint: undefined });
  const names = kinds.map(({ 0: { rule }, length }) => `${length} ${rule}`);
  log.alert(
    `${counted(warnings.length, 'warning')} of ${counted(kinds.length, 'kind')} (${names.join(', ')}); standin check shows them`,
    {},
  );
}

function isDisabling({ operations }: SourceFinding): boolean {
  return operations !== undefined;
}
