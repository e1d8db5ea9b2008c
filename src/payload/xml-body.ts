import type * as FastXmlParser from 'fast-xml-parser';
import { parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import { isSchemaObject, type SchemaObject } from '../schema/schema-object';
import type { Schema } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import { schemaOfItems } from '../openapi/view/schema-shape';

/** What the library that writes XML takes: elements by name, attributes with `@` before it, lists repeated. */
type XmlNode = string | null | readonly XmlNode[] | { readonly [name: string]: XmlNode };

const ATTRIBUTE = '@';

/** Writes a value as XML the way that its schema's XML Objects say (OAS 3.0.3 §4.7.26). */
export function writeXml(api: ApiModel, schema: Schema | undefined, value: JsonValue): string {
  // oxlint-disable-next-line typescript/no-require-imports -- few descriptions answer XML
  const { XMLBuilder } = require('#vendor/fast-xml-parser') as typeof FastXmlParser;
  const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: ATTRIBUTE, format: true });
  const root = { [rootName(schema)]: withNamespace(schema?.value, toNode(api, schema, value)) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}`;
}

/** A list has its items one after the other below an element of its own. */
function toNode(api: ApiModel, schema: Schema | undefined, value: JsonValue): XmlNode {
  if (Array.isArray(value)) {
    const items = itemsOf(api, schema);
    return { [elementName('item', items?.value)]: value.map((item) => toNode(api, items, item)) };
  }
  if (!isJsonObject(value)) return value === null ? null : scalarText(value);
  const properties = schema === undefined ? undefined : api.propertiesOf(schema);
  const members = Object.entries(value).map(([name, member]): [string, XmlNode] => {
    const property = properties?.get(name);
    return propertyNode(api, property === undefined ? undefined : api.schemaAt(property.pointer), name, member);
  });
  return Object.fromEntries(members);
}

function propertyNode(api: ApiModel, schema: Schema | undefined, name: string, value: JsonValue): [string, XmlNode] {
  const element = elementName(name, schema?.value);
  const xml = xmlObject(schema?.value);
  if (xml['attribute'] === true && !isJsonObject(value) && !Array.isArray(value)) {
    return [`${ATTRIBUTE}${element}`, scalarText(value)];
  }
  if (!Array.isArray(value)) return [element, withNamespace(schema?.value, toNode(api, schema, value))];
  const items = itemsOf(api, schema);
  const nodes = value.map((item) => toNode(api, items, item));
  // The name of an item that says none is that of its list.
  const itemName = elementName(name, items?.value);
  return xml['wrapped'] === true ? [element, { [itemName]: nodes }] : [itemName === name ? element : itemName, nodes];
}

function itemsOf(api: ApiModel, schema: Schema | undefined): Schema | undefined {
  return schema === undefined ? undefined : schemaOfItems(api, schema);
}

function xmlObject(schema: SchemaObject | undefined): SchemaObject {
  const xml = schema?.['xml'];
  return isSchemaObject(xml) ? xml : {};
}

function elementName(name: string, schema: SchemaObject | undefined): string {
  const { name: own, prefix } = xmlObject(schema);
  const local = typeof own === 'string' ? own : name;
  return safeName(typeof prefix === 'string' ? `${prefix}:${local}` : local);
}

/** The name in the XML Object, else that of the schema's place among the components. */
function rootName(schema: Schema | undefined): string {
  const { value, pointer } = schema ?? { value: undefined, pointer: '' };
  const path = parsePointer(pointer);
  const isNamed = path[0] === 'components' && path.length === 3;
  return elementName(isNamed ? (path[2] ?? 'response') : 'response', value);
}

function withNamespace(schema: SchemaObject | undefined, node: XmlNode): XmlNode {
  const { namespace, prefix } = xmlObject(schema);
  if (typeof namespace !== 'string' || !isElement(node)) return node;
  const attribute = typeof prefix === 'string' ? `${ATTRIBUTE}xmlns:${prefix}` : `${ATTRIBUTE}xmlns`;
  return { [attribute]: namespace, ...node };
}

function isElement(node: XmlNode): node is { readonly [name: string]: XmlNode } {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** What no element may be called becomes one (XML 1.0 §2.3, as far as ASCII goes). */
function safeName(name: string): string {
  const safe = name.replace(/[^\w:.\-\u00b7-\uffff]/g, '_');
  return /^[A-Za-z_:\u00c0-\uffff]/.test(safe) ? safe : `_${safe}`;
}
