import type { Node } from 'yaml';
import { joinPointer } from '../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { fitsOnLine, type NodeLayout, nodeLayout, printEntry, printFlow, printValue } from '../contract/contract-nodes';
import { PHASES } from './align-steps';
import type { Names } from './names';
import { replaceEntries } from './replace-entries';
import { TextEdits } from './text-edits';
import type { CommentRun, WrittenContract } from './written-contract';
import { type Entry, isBlock } from './written-tree';

/** What a file has to say after a merge. */
export interface MergedContract {
  readonly value: JsonObject;
  /** For each step of the merged sections, the index that it has in the section of the file; `undefined` for a new one. */
  readonly places: ReadonlyMap<string, readonly (number | undefined)[]>;
  /** The generator's comments by JSON pointers of the merged value. */
  readonly comments: ReadonlyMap<string, string>;
  /** The generator's comments that the file has, by JSON pointers of the file. */
  readonly present: ReadonlyMap<string, PresentComment>;
  /** Keys of captures and variables that are called something else now. */
  readonly names: Names;
  /** What comes in the place of the header that is there. */
  readonly header: { readonly run: CommentRun; readonly text: string } | undefined;
}

export interface PresentComment extends CommentRun {
  readonly text: string;
}

/** Changes the text of a contract where its value changes, and leaves every other character of it alone. */
export function editContract(written: WrittenContract, merged: MergedContract): string {
  return new ContractEditor(written, merged).text();
}

/** The lines of a comment, at an indentation. */
function commentLines(text: string, column: number): string {
  const lines = text.split('\n').map((line) => `${' '.repeat(column)}# ${line}`.trimEnd());
  return `${lines.join('\n')}\n`;
}

class ContractEditor {
  private readonly written: WrittenContract;
  private readonly merged: MergedContract;
  private readonly edits: TextEdits;
  /** Of what is printed anew. */
  private readonly layout: NodeLayout;
  /** Of what stands in the file, as the generator would print it. */
  private readonly asGenerated: NodeLayout;
  /** Pointers of the file by those of the merged value, for steps that it has. */
  private readonly origins = new Map<string, string>();

  constructor(written: WrittenContract, merged: MergedContract) {
    this.written = written;
    this.merged = merged;
    this.edits = new TextEdits(written.text);
    for (const [phase, places] of merged.places) {
      places.forEach((from, index) => {
        if (from !== undefined) this.origins.set(`/${phase}/${index}`, `/${phase}/${from}`);
      });
    }
    this.layout = nodeLayout(merged.comments, (pointer) => written.tree.get(this.originOf(pointer) ?? '')?.node);
    this.asGenerated = nodeLayout(new Map([...merged.present].map(([pointer, { text }]) => [pointer, text])));
  }

  text(): string {
    const { header, value } = this.merged;
    if (header !== undefined) this.edits.replace(header.run.start, header.run.end, commentsOrNone(header.text, 0));
    this.editMap({ from: '', to: '' }, this.written.value, value);
    return this.edits.apply();
  }

  /** `undefined` for what is in a new step. */
  private originOf(pointer: string): string | undefined {
    const [, step, rest = ''] = /^(\/(?:setup|steps|cleanup)\/\d+)(.*)$/s.exec(pointer) ?? [];
    if (step === undefined) return pointer;
    const origin = this.origins.get(step);
    return origin === undefined ? undefined : origin + rest;
  }

  private entryAt(pointer: string): Entry {
    const entry = this.written.tree.get(pointer)?.entry;
    if (entry === undefined) throw new Error(`Nothing stands on lines of its own at ${JSON.stringify(pointer)}`);
    return entry;
  }

  /** Properties of a map with lines of their own. */
  private editMap(at: Move, old: JsonObject, now: JsonObject): void {
    const entries = Object.keys(old).map((name) => {
      const to = this.nameOf(at, name, old, now);
      return { name: to, from: name, entry: this.entryAt(joinPointer(at.from, name)) };
    });
    const print = (name: string, column: number): string => {
      const [value, pointer] = [now[name] ?? null, joinPointer(at.to, name)];
      const text = printEntry(name, value, pointer, column, this.layout);
      const isSection = at.to === '' && !fitsOnLine(value, pointer, column + `${name}: `.length, this.layout);
      return isSection ? `\n${text}` : text;
    };
    replaceEntries(this.edits, this.written.text, entries, Object.keys(now), print, () => {
      for (const { name, from, entry } of entries) {
        if (name !== undefined) this.editProperty(at, { name, from, entry }, old[from] ?? null, now);
      }
    });
  }

  private editProperty(
    at: Move,
    { name, from, entry }: { readonly name: string; readonly from: string; readonly entry: Entry },
    old: JsonValue,
    now: JsonObject,
  ): void {
    const value = ownProperty(now, name);
    if (value === undefined) return;
    const inside = { from: joinPointer(at.from, from), to: joinPointer(at.to, name) };
    if (name !== from) this.renameKey(inside.from, name);
    const section = at.to === '' ? PHASES.find((phase) => phase === name) : undefined;
    if (section === undefined) this.editEntry(inside, entry, old, value, name);
    else this.editSection(section, inside, entry, value);
  }

  /** What a property is called now; `undefined` when it goes. */
  private nameOf(at: Move, name: string, old: JsonObject, now: JsonObject): string | undefined {
    const declares = /^\/(?:variables|(?:setup|steps|cleanup)\/\d+\/capture)$/.test(at.from);
    const next = declares ? this.merged.names.get(name) : undefined;
    if (next !== undefined && Object.hasOwn(now, next) && !Object.hasOwn(old, next)) return next;
    return Object.hasOwn(now, name) ? name : undefined;
  }

  private renameKey(pointer: string, name: string): void {
    const [start, end] = rangeOf(this.written.tree.get(pointer)?.key);
    this.edits.replace(start, end, printFlow(name, '', this.layout));
  }

  private editSection(phase: string, at: Move, entry: Entry, value: JsonValue): void {
    const { node } = this.written.tree.get(at.from) ?? {};
    const old = this.written.value[phase];
    const now = Array.isArray(value) ? value : [];
    const places = this.merged.places.get(phase) ?? [];
    this.editComment(at, entry);
    if (!isBlock(node) || !Array.isArray(old)) {
      this.replaceSection(at, entry, value, phase);
      return;
    }
    const entries = old.map((_, from) => {
      const index = places.indexOf(from);
      return { name: index === -1 ? undefined : String(index), entry: this.entryAt(joinPointer(at.from, from)) };
    });
    if (entries.every(({ name }) => name === undefined)) {
      this.replaceSteps(at, entry, entries, now);
      return;
    }
    const print = (name: string, column: number, isFirst: boolean): string => {
      const text = printEntry(undefined, now[Number(name)] ?? null, joinPointer(at.to, name), column, this.layout);
      const isShort = phase === 'cleanup' && text.trimEnd().split('\n').length === 1;
      if (isShort) return text;
      return isFirst ? `${text}\n` : `\n${text}`;
    };
    const order = now.map((_, index) => String(index));
    replaceEntries(this.edits, this.written.text, entries, order, print, () => {
      entries.forEach(({ name, entry: step }, from) => {
        const [before, after] = [old[from], now[Number(name)]];
        if (name === undefined || before === undefined || after === undefined) return;
        this.editStep({ from: joinPointer(at.from, from), to: joinPointer(at.to, name) }, step, before, after);
      });
    });
  }

  /** A section in brackets is written as a whole. */
  private replaceSection(at: Move, entry: Entry, value: JsonValue, phase: string): void {
    if (equalJson(this.written.value[phase] ?? null, value)) return;
    if (this.written.holdsOwnInside(at.from)) {
      const message = 'The steps stand in brackets, with comments or anchors in them';
      throw this.written.rejected(at.from, message, 'a dash before each step');
    }
    this.replaceValue(at, entry, value, phase);
  }

  /** Puts other steps in the place of all of them; what stands behind the name of the section stays. */
  private replaceSteps(at: Move, section: Entry, old: readonly { readonly entry: Entry }[], now: JsonValue[]): void {
    const [from, to] = [old[0]?.entry.lead ?? section.valueEnd, old.at(-1)?.entry.end ?? section.valueEnd];
    if (now.length === 0) this.edits.putBehind(section.valueStart, ' []');
    const printed = now.length === 0 ? '' : printValue('', now, at.to, section.column, this.layout).slice(1);
    this.edits.replace(from, to, printed);
  }

  /** A step whose text is as the generator writes it is written anew. */
  private editStep(at: Move, entry: Entry, old: JsonValue, now: JsonValue): void {
    const { text } = this.written;
    const blank = /^(?:[ \t]*\n)*/.exec(text.slice(entry.lead, entry.start))?.[0].length ?? 0;
    const start = entry.lead + blank;
    if (text.slice(start, entry.end) === printEntry(undefined, old, at.from, entry.column, this.asGenerated)) {
      this.edits.replace(start, entry.end, printEntry(undefined, now, at.to, entry.column, this.layout));
    } else this.editEntry(at, entry, old, now, undefined);
  }

  private editEntry(at: Move, entry: Entry, old: JsonValue, now: JsonValue, key: string | undefined): void {
    this.editComment(at, entry);
    // Of handwriting in braces nothing is lost to make room for a comment.
    const isCommented = this.layout.commented.has(at.to) && !this.written.holdsOwnInside(at.from);
    if (isBlock(this.written.tree.get(at.from)?.node)) {
      if (!this.editBlock(at, old, now)) this.replaceValue(at, entry, now, key);
    } else if (isCommented) this.replaceValue(at, entry, now, key);
    else if (equalJson(old, now)) return;
    else if (this.isFlowKept(at, entry, old, now)) this.editFlow(at, old, now);
    else this.replaceValue(at, entry, now, key);
  }

  /** @returns whether its lines can be changed one by one */
  private editBlock(at: Move, old: JsonValue, now: JsonValue): boolean {
    if (isJsonObject(old) && isJsonObject(now)) {
      const isAnyLeft = Object.keys(old).some((name) => this.nameOf(at, name, old, now) !== undefined);
      if (isAnyLeft) this.editMap(at, old, now);
      return isAnyLeft;
    }
    if (!Array.isArray(old) || !Array.isArray(now) || old.length !== now.length) return false;
    old.forEach((item, index) => {
      const inside = { from: joinPointer(at.from, index), to: joinPointer(at.to, index) };
      this.editEntry(inside, this.entryAt(inside.from), item, now[index] ?? null, undefined);
    });
    return true;
  }

  /** Do braces keep their form, so that values inside can be changed one by one? */
  private isFlowKept(at: Move, { column }: Entry, old: JsonValue, now: JsonValue): boolean {
    if (!isContainer(old) || !this.hasSameForm(at.from, old, now)) return false;
    return fitsOnLine(now, at.to, column, this.layout) || !fitsOnLine(old, at.to, column, this.layout);
  }

  private hasSameForm(pointer: string, old: JsonValue, now: JsonValue): boolean {
    if (equalJson(old, now)) return true;
    if (this.written.tree.get(pointer)?.node === undefined) return false;
    if (!isContainer(old)) return !isContainer(now);
    const inner = Object.entries<JsonValue>(old);
    if (!isContainer(now) || Array.isArray(old) !== Array.isArray(now)) return false;
    if (inner.length !== Object.keys(now).length) return false;
    return inner.every(([name, value]) => {
      const next = childOf(now, name);
      return next !== undefined && this.hasSameForm(joinPointer(pointer, name), value, next);
    });
  }

  private editFlow(at: Move, old: JsonValue, now: JsonValue): void {
    if (equalJson(old, now)) return;
    if (!isContainer(old)) {
      const [start, end] = rangeOf(this.written.tree.get(at.from)?.node);
      this.edits.replace(start, end, printFlow(now, at.to, this.layout));
      return;
    }
    for (const [name, value] of Object.entries<JsonValue>(old)) {
      const inside = { from: joinPointer(at.from, name), to: joinPointer(at.to, name) };
      this.editFlow(inside, value, childOf(now, name) ?? null);
    }
  }

  /** Writes a value anew; a comment behind the old one on its line stays behind the first line of the new one. */
  private replaceValue({ from, to }: Move, entry: Entry, value: JsonValue, key: string | undefined): void {
    const { node, key: name } = this.written.tree.get(from) ?? {};
    const keyText = key === undefined ? undefined : this.written.text.slice(...rangeOf(name));
    const printed = printValue(keyText, value, to, entry.column, this.layout);
    const end = isBlock(node) ? entry.valueEnd : Math.max(entry.valueStart, rangeOf(node)[1]);
    const tail = this.written.text.slice(end, entry.valueEnd).trim();
    const text = tail.startsWith('#') ? printed.replace('\n', () => ` ${tail}\n`) : printed;
    this.edits.replace(entry.valueStart, entry.valueEnd, text);
  }

  private editComment({ from, to }: Move, entry: Entry): void {
    const wanted = this.merged.comments.get(to);
    const present = this.merged.present.get(from);
    if (present !== undefined) {
      if (present.text !== wanted) this.edits.replace(present.start, present.end, commentsOrNone(wanted, entry.column));
    } else if (wanted !== undefined && !entry.isBehindDash) {
      const line = this.written.text.lastIndexOf('\n', entry.start - 1) + 1;
      this.edits.putBefore(line, commentLines(wanted, entry.column));
    }
  }
}

/** A value in the file, and where it is after the merge: JSON pointers. */
interface Move {
  readonly from: string;
  readonly to: string;
}

function rangeOf(node: Node | undefined): [start: number, end: number] {
  const [start = 0, end = 0] = node?.range ?? [];
  return [start, end];
}

function isContainer(value: JsonValue): value is JsonValue[] | JsonObject {
  return Array.isArray(value) || isJsonObject(value);
}

function childOf(value: JsonValue, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(name)];
  return isJsonObject(value) ? ownProperty(value, name) : undefined;
}

function commentsOrNone(text: string | undefined, column: number): string {
  return text === undefined || text === '' ? '' : commentLines(text, column);
}
