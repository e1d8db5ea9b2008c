import { isJsonNumber, toLexeme } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { counted, printable } from '../../core/text/printable';
import { writeYaml } from '../../openapi/read/yaml-text';
import { INFERRED } from '../../openapi/model/inferred';

/**
 * The text of the file that an inferred description is written to, YAML that is read back as the same document. What a
 * person should know of it stands at its head; nothing in it changes when the same traffic is recorded on another day.
 */
export function draftDescriptionText(document: JsonObject): string {
  const operations = operationsOf(document);
  const head = [
    `${printable(titleOf(document))}: a first description, inferred from ${counted(exchangesOf(document), 'recorded exchange')}.`,
    `It has ${counted(operations, 'operation')}: what was seen. Nobody promised it yet, and what no exchange had is missing:`,
    'other statuses, optional properties and parameters, values that are allowed, bounds.',
    'Read it, name things as you know them, and take required out where it was chance. standin check tells what is left.',
  ];
  return `${head.map((line) => `# ${line}\n`).join('')}${writeYaml(document)}`;
}

function titleOf({ info }: JsonObject): string {
  const title = isJsonObject(info) ? info['title'] : undefined;
  return typeof title === 'string' ? title : 'An API';
}

function exchangesOf(document: JsonObject): string {
  const mark: JsonValue | undefined = document[INFERRED];
  const count = isJsonObject(mark) ? mark['exchanges'] : undefined;
  return isJsonNumber(count) ? toLexeme(count) : '0';
}

function operationsOf({ paths }: JsonObject): number {
  const items = isJsonObject(paths) ? Object.values(paths).filter(isJsonObject) : [];
  return items.flatMap((item) => Object.keys(item).filter((name) => name !== 'parameters')).length;
}
