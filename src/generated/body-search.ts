import { canonicalKey, isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { isStateName } from '../openapi/naming/states';
import { jsonEntry } from '../openapi/view/operation-bodies';
import { samplerOf } from '../payload/sampler/sampler';
import type { Answer } from '../runner/run/rounds';
import { type Complaint, complaintsOf } from './complaints';
import { lessonsFor, referencesFor } from './lesson-candidates';
import { type BodyLessons, type Lesson, NO_LESSONS, nodeAlong } from './lessons';
import { MemberNames } from './member-names';
import { ABSENT, DISTINCT, exactly, PLAIN } from './remedy';
import { RUN_ID } from './run-text';
import { sampleBody } from './sample-body';
import { requestOf, type Subject } from './subject';
import { slugOf } from './text-forms';

/** So many bodies are tried for one and the same refusal. */
const MOST_FOR_ONE = 4;

/** A refusal that no body before it met, and of what its body was made. */
interface Standing {
  readonly made: BodyLessons;
  readonly status: number;
  readonly complaints: readonly Complaint[];
  readonly reason: string;
  tries: number;
}

/**
 * Looks for a body that a service takes where it refused what the description allows: by what it says is wrong, by what the
 * description says of that, by what is there already, and in the end by other bodies as a whole. A body that meets a
 * refusal which was met before is no step on.
 */
export class BodySearch {
  private readonly api: ApiModel;
  private readonly subject: Subject;
  private readonly seed: string;
  private readonly names: MemberNames;
  private readonly tried = new Set<string>();
  private readonly met = new Set<string>();
  private readonly reasons = new Map<Lesson, string>();
  private readonly seen: JsonObject[] = [];
  private current: BodyLessons;
  private standing: Standing | undefined;
  private readonly reshaped = new Map<Lesson, string>();
  /** Why a body is another one as a whole. */
  private wholeReason = '';

  constructor(api: ApiModel, subject: Subject, seed: string, known: BodyLessons) {
    this.api = api;
    this.subject = subject;
    this.seed = seed;
    this.current = known;
    const schema = requestOf(subject.create);
    if (schema === undefined) throw new Error(`${subject.create.operation.id} takes no JSON`);
    this.names = new MemberNames(samplerOf(api).nodeOf(schema, 'request'), this.root);
    this.isNew(known);
  }

  private get root(): readonly string[] {
    return this.subject.create.request?.path ?? [];
  }

  /** Things of the kind that a list showed. */
  see(items: readonly JsonObject[]): void {
    const known = new Set(this.seen.map(canonicalKey));
    this.seen.push(...items.filter((item) => !known.has(canonicalKey(item))));
  }

  /** @returns of what the next body is made; `undefined` where nothing else is to be tried */
  next(refusal: Answer): BodyLessons | undefined {
    const standing = this.standingAt(refusal);
    const own = standing.tries < MOST_FOR_ONE ? this.byComplaints(standing) : [];
    const found = [...own, ...this.otherBodies(standing.made)].find((each) => this.isNew(each));
    standing.tries += 1;
    if (found === undefined) return undefined;
    if (found.extent !== this.current.extent || found.example !== this.current.example)
      this.wholeReason = standing.reason;
    for (const lesson of found.lessons) if (!this.reasons.has(lesson)) this.reasons.set(lesson, standing.reason);
    this.current = found;
    return found;
  }

  private standingAt({ sent: value, body, status }: Answer): Standing {
    const sent = itemSent(value);
    const complaints = complaintsOf(body, sent, this.names);
    const reason = reasonOf(status, complaints, body);
    const signature = signatureOf(status, complaints, sent);
    if (this.standing === undefined || !this.met.has(signature))
      this.standing = { made: this.current, status, complaints, reason, tries: 0 };
    this.met.add(signature);
    return this.standing;
  }

  /**
   * A name that comes back in another form is not the one that was sent: where small letters, digits and hyphens come back
   * as they are, those are sent.
   *
   * @param taken - the answer to a body that was taken
   * @returns `undefined` where everything came back as it was sent
   */
  plainer({ sent, body }: Answer): BodyLessons | undefined {
    const { response } = this.subject.create;
    const [item, shown] = [valueAlong(itemSent(sent), this.root), valueAlong(body, response?.path ?? [])];
    if (!isJsonObject(item) || !isJsonObject(shown)) return undefined;
    const sample = this.itemOf(this.current);
    const lessons = Object.entries(item).flatMap(([name, value]): Lesson[] => {
      const [own, back] = [sample[name], shown[name]];
      const isChanged = typeof own === 'string' && own.includes(RUN_ID) && typeof back === 'string' && back !== value;
      if (!isChanged || slugOf(own) === own) return [];
      const lesson = { path: [name], ...PLAIN };
      this.reshaped.set(lesson, `${JSON.stringify(value)} came back as ${JSON.stringify(back)}`);
      return [lesson];
    });
    const found = { ...this.current, lessons: joined(this.current.lessons, lessons) };
    if (lessons.length === 0 || !this.isNew(found)) return undefined;
    return (this.current = found);
  }

  /** What may be left out and was, where that is all that a service did not take. */
  leftOut(): string[] {
    if (this.current.extent !== 'least') return [];
    const least = this.itemOf(this.current);
    return Object.keys(this.itemOf({ ...this.current, extent: 'usual' })).filter((name) => !Object.hasOwn(least, name));
  }

  /** The same body with everything but some of what was left out. */
  without(names: readonly string[]): BodyLessons {
    const lessons = names.map((name): Lesson => ({ path: [name], ...ABSENT }));
    for (const lesson of lessons) this.reasons.set(lesson, this.wholeReason);
    return { ...this.current, extent: 'usual', lessons: joined(this.current.lessons, lessons) };
  }

  /** Goes on with a body that was taken. */
  goOn(made: BodyLessons): void {
    this.current = made;
  }

  /** What was learnt once a body was taken, a sentence each. */
  facts(): string[] {
    const { extent, example, lessons } = this.current;
    const refuses = (words: string, reason = this.wholeReason): string =>
      `refuses what the description allows: ${words}, after ${reason}`;
    // Where only what is needed is sent, what is left out is said by that.
    const told = lessons.filter(({ words }) => extent !== 'least' || words !== ABSENT.words);
    return [
      ...(extent === 'least' ? [refuses('what may be left out is left out')] : []),
      ...(extent === 'all' ? [refuses('what may be left out is given')] : []),
      ...(example === undefined ? [] : [refuses('an example of the description is taken')]),
      ...told.map((lesson) => {
        const words = `${lesson.path.join('.')} ${lesson.words}`;
        const shown = this.reshaped.get(lesson);
        return shown === undefined
          ? refuses(words, this.reasons.get(lesson))
          : `shows a name in another form: ${words}, after ${shown}`;
      }),
    ];
  }

  private bodyOf(learnt: BodyLessons): JsonObject | undefined {
    return sampleBody(this.api, this.subject.create, { seed: this.seed, ordinal: 0, mark: '', learnt });
  }

  private isNew(lessons: BodyLessons): boolean {
    const body = this.bodyOf(lessons);
    if (body === undefined) return false;
    const keys = lessons.lessons.flatMap(({ refersTo = '' }) => refersTo);
    const text = JSON.stringify([body, keys], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    if (this.tried.has(text)) return false;
    this.tried.add(text);
    return true;
  }

  /** Everything that is said to be wrong, put right at once, in one way after the other. */
  private byComplaints({ made, status, complaints, reason }: Standing): BodyLessons[] {
    const all = complaints.flatMap((complaint) => {
      const path = this.inItem(complaint.path);
      if (path === undefined) return [];
      const about = { api: this.api, subject: this.subject, seen: this.seen, status };
      return [lessonsFor(about, { ...complaint, path })];
    });
    const most = Math.max(0, ...all.map((each) => each.length));
    return Array.from({ length: most }, (_, index) => {
      const chosen = all.flatMap((each) => each[Math.min(index, each.length - 1)] ?? []);
      for (const lesson of chosen) this.reasons.set(lesson, reason);
      return { ...made, lessons: joined(made.lessons, chosen) };
    });
  }

  private inItem(path: readonly string[] | undefined): readonly string[] | undefined {
    const isInside = path !== undefined && this.root.every((name, index) => path[index] === name);
    const inner = isInside ? path.slice(this.root.length) : [];
    return inner.length === 0 ? undefined : inner;
  }

  private otherBodies(made: BodyLessons): BodyLessons[] {
    const schema = requestOf(this.subject.create);
    const content = this.subject.create.operation.requestBody?.content ?? [];
    const examples = (jsonEntry(content)?.examples ?? []).flatMap(({ value }) =>
      isJsonObject(value) && schema?.accepts(value, 'request') === true ? [value] : [],
    );
    const least = { ...made, extent: 'least' } as const;
    return [
      ...examples.map((example) => ({ ...NO_LESSONS, example })),
      least,
      ...this.withReferences(made),
      ...this.withReferences(least),
      ...this.otherWords(least),
      { ...NO_LESSONS, extent: 'least' },
      { ...NO_LESSONS, extent: 'all' },
      { ...made, lessons: joined(made.lessons, this.allDistinct(made)) },
      { ...made, lessons: joined(made.lessons, this.fewest(made)) },
    ];
  }

  /** With the keys of other things where names or descriptions speak of such things, and no response says what is wrong. */
  private withReferences(made: BodyLessons): BodyLessons[] {
    const about = { api: this.api, subject: this.subject, seen: this.seen, status: 0 };
    const known = new Set(made.lessons.filter(({ refersTo }) => refersTo !== undefined).map(({ path }) => path.join()));
    const names = Object.keys(this.itemOf(made)).filter((name) => !known.has(name));
    const lessons = names.flatMap((name) => referencesFor(about, [name]).slice(0, 1));
    return lessons.length === 0 ? [] : [{ ...made, lessons: joined(made.lessons, lessons) }];
  }

  /** There may not be as much as was asked for. */
  private fewest(made: BodyLessons): Lesson[] {
    return Object.entries(this.itemOf(made)).flatMap(([name, value]) =>
      typeof value === 'number' && value > 1 ? [{ path: [name], ...exactly(1) }] : [],
    );
  }

  /** Each other word of what has to be one of a few. */
  private otherWords(made: BodyLessons): BodyLessons[] {
    const schema = requestOf(this.subject.create);
    const node = schema && nodeAlong(samplerOf(this.api).nodeOf(schema, 'request'), this.root);
    const item = this.itemOf(made);
    return (node?.properties ?? []).flatMap(({ name, node: { values = [] } }) => {
      if (!Object.hasOwn(item, name) || isStateName(name) || values.length > MOST_WORDS) return [];
      return values.map((word) => ({ ...made, lessons: joined(made.lessons, [{ path: [name], ...exactly(word) }]) }));
    });
  }

  private itemOf(made: BodyLessons): JsonObject {
    const item = valueAlong(this.bodyOf(made), this.root);
    return isJsonObject(item) ? item : {};
  }

  /** Something is there already, and nobody says what of it. */
  private allDistinct(made: BodyLessons): Lesson[] {
    return Object.entries(this.itemOf(made)).flatMap(([name, value]) =>
      isPlain(value) ? [{ path: [name], ...DISTINCT }] : [],
    );
  }
}

/** What was sent of one thing: of a list of one, that one. */
function itemSent(value: JsonValue | undefined): JsonObject {
  const item = Array.isArray(value) ? value[0] : value;
  return isJsonObject(item) ? item : {};
}

/** What may be one of more is no choice that one would try. */
const MOST_WORDS = 6;

function isPlain(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Of two lessons about one place the later one holds, unless both can. */
function joined(before: readonly Lesson[], more: readonly Lesson[]): Lesson[] {
  const places = new Set(more.map(({ path }) => path.join('\n')));
  return [...before.filter(({ path }) => !places.has(path.join('\n'))), ...more];
}

const LONGEST_REASON = 160;

function reasonOf(status: number, complaints: readonly Complaint[], body: JsonValue | undefined): string {
  const said = complaints.map(({ text }) => text).join('; ') || (typeof body === 'string' ? body : '');
  const text = said.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return `${status}`;
  return `${status} ${JSON.stringify(text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text)}`;
}

/** The same for refusals that say the same of other values. */
function signatureOf(status: number, complaints: readonly Complaint[], sent: JsonObject): string {
  const values = scalarsOf(sent).toSorted((one, other) => other.length - one.length);
  const said = complaints.map(({ path = [], text }) => {
    const plain = values.reduce((rest, value) => rest.replaceAll(value, '*'), text);
    return `${path.join('.')}: ${plain.replaceAll(/\d+/g, '#')}`;
  });
  return [status, ...said].join('\n');
}

function scalarsOf(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  if (isJsonObject(value)) return Object.values(value).flatMap(scalarsOf);
  return typeof value === 'string' && value.length > 1 ? [value] : [];
}
