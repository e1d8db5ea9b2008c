import { equalJson } from '../json/equal-json';
import type { JsonValue } from '../json/json-value';
import type { DraftVariable } from './draft';

/** Gives names to what placeholders stand for, each another one. */
export class DraftNames {
  readonly variables: DraftVariable[] = [];
  private readonly used = new Set(['runId']);

  /** Of a captured key. @param parameter - that holds it in paths */
  capture(parameter: string): string {
    return this.free(nameOf(parameter));
  }

  /** Of something that no step makes: one variable for one value of one name. */
  variable(parameter: string, value: JsonValue): string {
    const stem = nameOf(parameter);
    const same = this.variables.find((each) => stemOf(each.name) === stem && equalJson(each.value, value));
    if (same !== undefined) return same.name;
    const name = this.free(stem);
    this.variables.push({ name, value });
    return name;
  }

  private free(stem: string): string {
    let name = stem;
    for (let number = 2; this.used.has(name); number++) name = `${stem}_${number}`;
    this.used.add(name);
    return name;
  }
}

function stemOf(name: string): string {
  return name.replace(/_\d+$/, '');
}

function nameOf(parameter: string): string {
  const plain = parameter.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  const name = plain.replace(/_\d+$/, '');
  return /^[A-Za-z]/.test(name) ? name : `value${name}`;
}
