import { counted } from '../../core/text/printable';
import { isCmdScript, readCmdCommands } from './cmd-words';
import { type CurlOption, readCurlOptions } from './curl-options';
import { requestsOf } from './curl-request';
import {
  type ReadItem,
  type ReadProblem,
  readWhole,
  type TrafficReader,
  type TrafficSource,
  wholeProblem,
} from './reader';
import { readShellScript, type ShellCommand, type ShellScript } from './shell-words';
import { VariableMarks, withKnownHost } from './variable-marks';

/**
 * Command lines of curl: typed, of a script, or copied by a browser. Nothing is run, so that there are no responses.
 */
export const curl: TrafficReader = {
  name: 'curl command lines',
  recognises(file, head) {
    if (/\.curl$/i.test(file)) return true;
    return !/\.(?:ya?ml|json|har|bru|html?)$/i.test(file) && CURL_LINE.test(head) && !/^\s*[{[<]/.test(head);
  },
  read: readCurl,
};

/** A command line of curl, with what may stand before the name in a line: a prompt, a variable, words of the shell. */
const CURL_LINE = /^[ \t]*(?:[^\s"'{<#]+[ \t]+)*?(?:\S*[/(`])?curl(?:\.exe)?[ \t]/m;

async function* readCurl(source: TrafficSource): AsyncIterable<ReadItem> {
  const text = await readWhole(source);
  if (typeof text !== 'string') {
    yield text;
    return;
  }
  const marks = new VariableMarks();
  const { commands, open } = commandsOf(text, marks);
  let count = 0;
  let others = 0;
  for (const command of commands) {
    const words = curlWords(command.words);
    if (words === undefined) others += 1;
    else
      for (const item of readCommand(source, { ...command, words })) {
        if (!('problem' in item)) count += 1;
        yield item;
      }
  }
  if (open !== undefined) {
    const problem = `The quote ${open.quote} that begins here has no end`;
    yield { file: source.file, at: `line ${open.line}`, problem, done: 'the text up to the end of the file was taken' };
  }
  yield* remarks(source, marks, others);
  if (count === 0)
    yield wholeProblem(
      source,
      'It has no command line of curl that can be read: expected lines such as curl https://api.example/things',
    );
}

function* remarks(source: TrafficSource, marks: VariableMarks, others: number): Iterable<ReadProblem> {
  const at = '';
  if (marks.asked.length > 0) {
    const problem = `The value of ${counted(marks.asked.length, 'variable')} is not in the file: ${marks.asked.join(', ')}`;
    yield { file: source.file, at, problem, done: 'kept as secrets without a value' };
  }
  if (others > 0)
    yield { file: source.file, at, problem: `${counted(others, 'command')} of other programs`, done: 'left out' };
}

function commandsOf(text: string, marks: VariableMarks): ShellScript {
  if (isCmdScript(text)) return { commands: readCmdCommands(text), open: undefined };
  return readShellScript(text, (name, fallback) => {
    return fallback === undefined || fallback.includes('$') ? marks.markOf(name) : fallback;
  });
}

/** Words that may stand before a command of a script, and a prompt that was copied with it. */
const BEFORE_COMMAND = /^(?:[A-Za-z_]\w*=.*|then|do|else|elif|if|while|until|time|sudo|exec|command|env|!|\{|[$%>])$/s;

/** The words behind `curl`; `undefined` for a command of another program. */
function curlWords(words: readonly string[]): readonly string[] | undefined {
  const first = words.findIndex((word) => !BEFORE_COMMAND.test(word));
  return /^(?:.*[\\/])?curl(?:\.exe)?$/i.test(words[first] ?? '') ? words.slice(first + 1) : undefined;
}

function* readCommand(source: TrafficSource, { words, line, input }: ShellCommand): Iterable<ReadItem> {
  const at = `line ${line}`;
  for (const options of transfersOf(readCurlOptions(words))) {
    const known = options.map(({ name, value }) => ({ name, value: name === 'url' ? withKnownHost(value) : value }));
    const { requests, problems } = requestsOf(known, { file: (path) => source.beside(path), input });
    for (const { problem, done } of problems) yield { file: source.file, at, problem, done };
    for (const { origin, request } of requests)
      yield {
        source: `${source.file}:${line}`,
        startedAt: undefined,
        endedAt: undefined,
        origin,
        request,
        response: undefined,
        isRequestAlone: true,
        notes: [],
      };
  }
}

/** `--next` begins anew: what was said before it is of the transfers before it. */
function transfersOf(options: readonly CurlOption[]): CurlOption[][] {
  const transfers: CurlOption[][] = [[]];
  for (const option of options) {
    if (option.name === 'next') transfers.push([]);
    else transfers.at(-1)?.push(option);
  }
  return transfers;
}
