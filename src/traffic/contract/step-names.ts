import { groupBy } from '../../core/text/group-by';
import { wordsOf } from '../../core/text/inflection';
import { type Call, isSuccess } from '../flow/call';
import { listName, wordsOfParameter } from './list-names';
import { inWords, withArticle } from './names';
import { changedProperties, OwnChanges } from './own-changes';
import type { OwnThing } from './own-things';

const VERBS: Readonly<Record<string, string>> = {
  read: 'read',
  replace: 'replace',
  upsert: 'put',
  update: 'change',
  remove: 'remove',
};

const ORDINALS = ['', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Names the steps of a contract in words, each another one. */
export class StepNames {
  private readonly used = new Set<string>();
  /** The latest number that a name which was taken already got. */
  private readonly latest = new Map<string, number>();
  private readonly changes = new OwnChanges();
  /** By name without what tells it from others alike: how many changes there were at the last one. */
  private readonly changesAt = new Map<string, number>();
  /** By operation: what all of its calls ask for in the same words tells none of them apart. */
  private readonly usual = new Map<string, ReadonlySet<string>>();

  constructor(calls: readonly Call[] = []) {
    for (const [first, ...others] of groupBy(calls, ({ operation }) => operation?.id ?? '')) {
      const wordsOf = (call: Call): string[] => call.parameters.map((sent) => wordsOfParameter(call, sent));
      const told = others.map((call) => new Set(wordsOf(call)));
      const shared = wordsOf(first).filter((words) => told.every((each) => each.has(words)));
      this.usual.set(first.operation?.id ?? '', new Set(others.length === 0 ? [] : shared));
    }
  }

  /**
   * @param thing - what the call is about, where the recording made it
   * @param auth - where it says something of the call: how it authenticates
   * @param code - of the error that is expected
   */
  nameOf(call: Call, thing: OwnThing | undefined, auth: string | undefined, code: string | undefined): string {
    const usual = this.usual.get(call.operation?.id ?? '') ?? new Set();
    const name = call.exchange.name ?? `${withAuth(auth)}${sentenceOf(call, thing, code, usual)}`;
    const since = this.changesAt.get(name);
    const reason = since === undefined ? undefined : this.changes.reasonOf(call, thing, since, nounOf);
    this.changes.follow(call, thing);
    this.changesAt.set(name, this.changes.count);
    return this.free(`${name}${reason ?? ''}`);
  }

  /** Names a step that removes what a call made. */
  nameOfRemoval(thing: OwnThing): string {
    return this.free(`remove ${nounOf(thing)}`);
  }

  /** A name that no other step has. */
  free(name: string): string {
    let [free, number] = [name, this.latest.get(name) ?? 1];
    while (this.used.has(free)) free = `${name} (${++number})`;
    this.latest.set(name, number);
    return this.take(free);
  }

  take(name: string): string {
    this.used.add(name);
    return name;
  }
}

function withAuth(auth: string | undefined): string {
  if (auth === undefined) return '';
  if (auth === 'none') return 'without a key, ';
  if (auth === 'invalid') return 'with an unknown key, ';
  return ['malformed', 'empty', 'doubled'].includes(auth) ? `with a credential that is ${auth}, ` : '';
}

function sentenceOf(
  call: Call,
  thing: OwnThing | undefined,
  code: string | undefined,
  usual: ReadonlySet<string>,
): string {
  const { binding, operation, status = 0 } = call;
  const plain = binding === undefined ? plainName(call) : boundName(call, inWords(binding.resource.name), thing, usual);
  if (isSuccess(call) || status === 304) return plain;
  if (operation === undefined) return `${plain} (${status})`;
  if (status === 404 || status === 410)
    return thing?.isRemoved === true ? `${plain}, which is gone` : `${plain} that does not exist`;
  return `${plain} is rejected (${code === undefined ? status : inPlainWords(code)})`;
}

function boundName(call: Call, name: string, thing: OwnThing | undefined, usual: ReadonlySet<string>): string {
  const { binding, operation } = call;
  if (binding === undefined) return plainName(call);
  const { behaviour, action, resource } = binding;
  const plural = plainPlural(resource.path, name);
  if (behaviour === 'list') return listName(call, plural, usual);
  if (behaviour === 'create') return postedName(call, name, thing);
  if (behaviour === 'count') return `count ${plural}`;
  const verb = behaviour === 'act' ? action?.verb : VERBS[behaviour];
  if (verb === undefined) return wordsOf(operation?.id ?? name).join(' ');
  const changed = changedProperties(call);
  return `${verb} ${noun(name, thing)}${changed === undefined ? '' : `: ${changed}`}`;
}

/** A POST to a collection may as well change what is there. */
function postedName(call: Call, name: string, thing: OwnThing | undefined): string {
  const isChange = thing !== undefined && thing.madeBy !== call;
  return isChange ? `change ${noun(name, thing)}` : `add ${withOrdinal(name, thing?.ordinal ?? 0)}`;
}

function withOrdinal(name: string, ordinal: number): string {
  if (ordinal === 0) return withArticle(name);
  const word = ORDINALS[ordinal];
  return word === undefined ? `${name} number ${ordinal + 1}` : `a ${word} ${name}`;
}

/** What a thing is called by the call that made it: `the second book`. */
function nounOf(thing: OwnThing): string {
  return noun(inWords(thing.madeBy.binding?.resource.name ?? 'thing'), thing);
}

function noun(name: string, thing: OwnThing | undefined): string {
  if (thing === undefined) return withArticle(name);
  const word = ORDINALS[thing.ordinal] ?? 'other';
  return word === '' ? `the ${name}` : `the ${word} ${name}`;
}

/** `missing field` for `missing_field`. */
function inPlainWords(code: string): string {
  return /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/.test(code) ? code.replaceAll(/[_-]/g, ' ') : code;
}

function plainPlural(path: string, otherwise: string): string {
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{'));
  return last === undefined ? otherwise : wordsOf(last).join(' ');
}

/** Short summaries name an operation as people do. */
function plainName({ operation, method, path }: Call): string {
  if (operation === undefined) return `${method} ${path}`;
  const summary = operation.summary.replace(/[.\s]+$/, '');
  if (summary !== '' && summary.length <= 60) return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
  return /\s/.test(operation.id) ? operation.id : wordsOf(operation.id).join(' ');
}
