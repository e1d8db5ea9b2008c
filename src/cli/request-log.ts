import pc from 'picocolors';
import type * as PinoNamespace from 'pino';
import { stackOf } from '../errors/error-facts';
import { printable, printableJson } from '../errors/printable';
import { formatPlace, type SourceFinding } from '../errors/source-finding';
import type { HttpResponse, RequestHead } from '../http/message';
import type { TellFacts } from './request-facts';
import { say } from './terminal';

type PinoModule = typeof PinoNamespace;

export type LogFormat = 'pretty' | 'json' | 'silent';

/** One line for each answered request, to stdout; defects and warnings to stderr. */
export interface RequestLog {
  /** Are its lines read by programs, which want everything? */
  readonly isForPrograms: boolean;
  readonly onAnswered: ((head: RequestHead, response: HttpResponse, startedAt: bigint) => void) | undefined;
  readonly reportDefect: (error: unknown, head: RequestHead) => void;
  /** Before the first request: lets the lines say what the requests are about. */
  describe(tellFacts: TellFacts): void;
  warn(finding: SourceFinding): void;
  /** @param packs - names of those that are used */
  listening(url: string, title: string, packs: readonly string[]): void;
  /** @param text - what happened, for people @param facts - the same for programs */
  tell(text: string, facts: Readonly<Record<string, unknown>>): void;
  /** Something that whoever runs the mock has to know; goes to stderr. */
  complain(text: string, facts: Readonly<Record<string, unknown>>): void;
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
    say(process.stdout, held);
    held = '';
  };
  return {
    isForPrograms: false,
    onAnswered: isSilent
      ? undefined
      : (head, response, startedAt) => {
          if (held === '') setImmediate(flush);
          held += prettyLine(head, response, Number(process.hrtime.bigint() - startedAt) / 1e6);
        },
    reportDefect(error, { method, target }) {
      say(
        process.stderr,
        `${pc.red('defect')} in ${method} ${printable(target)}\n${stackOf(error).split('\n').map(printable).join('\n')}\n`,
      );
    },
    // Its lines have the whole body of a refusal.
    describe: () => undefined,
    warn(finding) {
      say(
        process.stderr,
        `${pc.yellow('warning')} ${printable(`${formatPlace(finding)} ${finding.rule}: ${finding.message}`)}\n`,
      );
      if (finding.hint !== undefined) say(process.stderr, `  hint: ${printable(finding.hint)}\n`);
    },
    listening: () => undefined,
    tell(text) {
      flush();
      say(process.stdout, `${text}\n`);
    },
    complain(text) {
      say(process.stderr, `${text}\n`);
    },
    flush,
  };
}

function prettyLine({ method, target }: RequestHead, response: HttpResponse, milliseconds: number): string {
  const { status, body, untold, warnings = [] } = response;
  const colour = status >= 500 ? pc.red : status >= 400 ? pc.yellow : pc.green;
  // The reason of a refusal is what the reader of the log wants next.
  const told = status >= 400 && typeof body === 'string' ? ` ${pc.dim(printable(body))}` : '';
  const more = untold === undefined ? warnings : [untold, ...warnings];
  const why = told + more.map(({ code, message }) => ` ${printable(`${code}: ${message}`)}`).join(';');
  return `${new Date().toISOString().slice(11, 23)} ${method.padEnd(6)} ${printable(target).slice(0, 200)} ${colour(String(status))} ${milliseconds.toFixed(1)} ms${why}\n`;
}

function jsonLog(): RequestLog {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only for this format: pino takes as long as our whole core
  const { pino } = require('pino') as PinoModule;
  const destination = pino.destination({ dest: 1, sync: true });
  // One place hears of an output that is lost, whoever wrote to it.
  destination.on('error', (error: Error) => process.stdout.emit('error', error));
  const hooks = { streamWrite: printableJson };
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks }, destination);
  let tell: TellFacts = () => ({});
  return {
    isForPrograms: true,
    onAnswered(head, response, startedAt) {
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
    tell(text, facts) {
      logger.info(facts, text);
    },
    complain(text, facts) {
      logger.warn(facts, text);
    },
    flush: () => undefined,
  };
}
