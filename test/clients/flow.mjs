// What every flow uses. A flow is a module of top-level `await call(…)`; it runs in a child process of main.mjs.
import { createRequire } from 'node:module';
import { execFile } from 'node:child_process';

export const url = process.env.CLIENT_URL; // http://127.0.0.1:PORT with the base path of the description
export const port = Number(process.env.CLIENT_PORT);
export const origin = `http://127.0.0.1:${port}`;
// The clients are installed beside this file: see package.json.
export const load = (name) => import(name); // ES modules
export const require = createRequire(import.meta.url); // CommonJS

// CLIENT_LIST=1: only the names of the calls, nothing is sent; so the total of a flow that was cut short is known.
const listing = process.env.CLIENT_LIST === '1';
const verdicts = new Map();
const tell = (verdict, name, why = '') =>
  verdicts.set(name, verdict) &&
  process.stdout.write(
    `\n@@${JSON.stringify({ verdict, name, why: String(why).replace(/\s+/g, ' ').slice(0, 300) })}\n`,
  );
const words = (value) => {
  try {
    return JSON.stringify(value)?.slice(0, 120) ?? String(value);
  } catch {
    return String(value);
  }
};

/** What is wrong with a value: '' if nothing. A pattern is a value, a RegExp, a predicate (true, or a word on what is
 * wrong), a list (the same length), or an object of patterns (other members may be there). */
export function differs(value, pattern, path = '') {
  if (typeof pattern === 'function') {
    const word = pattern(value);
    return word === true ? '' : `${path || 'result'}: ${word || words(value)}`;
  }
  if (pattern instanceof RegExp)
    return typeof value === 'string' && pattern.test(value) ? '' : `${path} is ${words(value)}`;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value) || value.length !== pattern.length) return `${path} is ${words(value)}`;
    return pattern.map((each, i) => differs(value[i], each, `${path}[${i}]`)).find(Boolean) ?? '';
  }
  if (pattern && typeof pattern === 'object') {
    if (!value || typeof value !== 'object') return `${path || 'result'} is ${words(value)}`;
    return (
      Object.entries(pattern)
        .map(([key, each]) => differs(value[key], each, path ? `${path}.${key}` : key))
        .find(Boolean) ?? ''
    );
  }
  return Object.is(value, pattern) ? '' : `${path || 'result'} is ${words(value)}, not ${words(pattern)}`;
}
// Patterns
export const any = () => true;
export const text = (v) => (typeof v === 'string' && v !== '') || words(v);
export const number = (v) => typeof v === 'number' || words(v);
export const list = (v) => Array.isArray(v) || words(v);
export const one =
  (...allowed) =>
  (v) =>
    allowed.includes(v) || words(v);
export const some = (pattern) => (v) =>
  (Array.isArray(v) && v.some((each) => !differs(each, pattern))) || `none of ${v?.length} is ${words(pattern)}`;
export const every = (pattern) => (v) =>
  (Array.isArray(v) && v.map((each) => differs(each, pattern)).find(Boolean)) || Array.isArray(v) || words(v);
export const none = (pattern) => (v) =>
  (Array.isArray(v) && !v.some((each) => !differs(each, pattern))) ||
  (Array.isArray(v) ? 'one of them is there' : words(v));
export const size = (n) => (v) => v?.length === n || `${v?.length} items, not ${n}`;
export const distinct = (least) => (v) =>
  (v.length >= least && new Set(v).size === v.length) ||
  `${v.length} items, ${new Set(v).size} distinct, at least ${least} expected`;
export const both =
  (...patterns) =>
  (v) =>
    patterns.map((p) => differs(v, p)).find(Boolean) || true;

class Missing extends Error {}
/** A value that an earlier call should have given. */
export const need = (value, name) => {
  if (value === undefined || value === null) throw new Missing('needs ' + name);
  return value;
};

/** For calls that would be right for nothing (what was never there is not found): the calls that must have been right before. */
export const after = (...names) => {
  for (const name of names) if (verdicts.get(name) !== 'right') throw new Missing(`needs "${name}" to be right`);
};

const limit = Number(process.env.CLIENT_CALL_MS ?? 10_000);
const within = (promise) => {
  let timer;
  return Promise.race([
    promise,
    new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end after ${limit} ms`)), limit);
    }),
  ]).finally(() => clearTimeout(timer));
};
const status = (e) =>
  e?.status ?? e?.statusCode ?? e?.response?.status ?? e?.responseInfo?.statusCode ?? e?.httpStatus ?? e?.code ?? '';
const body = (e) => words(e?.data ?? e?.error ?? e?.body ?? e?.response?.data ?? e?.response?.body ?? '');

/** One call: right if `fn` gives what `pattern` says. The value is returned even if it is not, so that later calls can go on. */
export async function call(name, fn, pattern = any) {
  if (listing) return void tell('listed', name);
  let value;
  try {
    value = await within((async () => fn())());
  } catch (error) {
    if (error instanceof Missing) tell('wrong', name, error.message);
    else
      tell(
        'wrong',
        name,
        `${error?.constructor?.name ?? 'thrown'} ${status(error)} ${error?.message ?? words(error)} ${body(error)}`,
      );
    return undefined;
  }
  let wrong;
  try {
    wrong = differs(value, pattern);
  } catch (error) {
    wrong = 'the check threw ' + error.message;
  }
  tell(wrong ? 'wrong' : 'right', name, wrong);
  return value;
}
/** A call that must be refused: right if it throws an error that is as `pattern` says. */
export async function refused(name, fn, pattern = any) {
  if (listing) return void tell('listed', name);
  try {
    await within((async () => fn())());
  } catch (error) {
    if (error instanceof Missing) return void tell('wrong', name, error.message);
    let wrong;
    try {
      wrong = differs(error, pattern);
    } catch (e) {
      wrong = 'the check threw ' + e.message;
    }
    return void tell(
      wrong ? 'wrong' : 'right',
      name,
      wrong && `${wrong}; ${error?.constructor?.name} ${status(error)} ${error?.message} ${body(error)}`,
    );
  }
  tell('wrong', name, 'not refused');
}
/** All of an async iterator, at most `most`. */
export async function all(iterator, pick = (x) => x, most = 500) {
  const items = [];
  // Not awaited where it can be iterated: the lists of some clients are promises too.
  for await (const item of iterator?.[Symbol.asyncIterator] ? iterator : await iterator) {
    items.push(pick(item));
    if (items.length > most) throw new Error('endless: more than ' + most + ' items');
  }
  return items;
}
/** n times, one after the other. */
export async function times(n, fn) {
  const out = [];
  for (let i = 0; i < n; i++) out.push(await fn(i));
  return out;
}

/** Runs the program of the client; gives its exit code, what it printed, and both streams together. */
export const program = (args, { env = {}, input, ms = limit } = {}) =>
  new Promise((done) => {
    const child = execFile(
      process.env.CLIENT_PROGRAM,
      args,
      { env: { ...process.env, ...env }, timeout: ms, killSignal: 'SIGKILL', maxBuffer: 1 << 24 },
      (error, stdout, stderr) => done({ rc: error ? (error.code ?? 'killed') : 0, out: stdout, both: stdout + stderr }),
    );
    // It may end before it reads.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
/** The program must end well (or with the exit code `rc`) and print what `pattern` says. */
export const prints =
  (pattern = any, rc = 0) =>
  (v) => {
    if (rc === 'refused' ? v.rc === 0 || v.rc === 'killed' : v.rc !== rc)
      return `exit code ${v.rc}: ${v.both.trim().slice(-160)}`;
    return differs(rc === 0 ? v.out : v.both, pattern) || true;
  };

process.on('unhandledRejection', () => {});
process.on('uncaughtException', (error) => {
  process.stdout.write(
    `\n@@${JSON.stringify({ verdict: 'died', why: String(error?.stack ?? error).slice(0, 300) })}\n`,
  );
  process.exit(1);
});
/** Last line of a flow. */
export const end = () => {
  process.stdout.write('\n@@{"verdict":"end"}\n', () => process.exit(0));
};
