/** What a member of an error body is there for. OpenAPI has no word for it: the name tells. */
export type MemberRole =
  | 'status'
  | 'code'
  | 'message'
  | 'title'
  /** `error`: a code, a text, a flag or the whole, as its schema and the members beside it say. */
  | 'error'
  | 'list'
  | 'path'
  | 'method'
  | 'time'
  | 'trace'
  | 'success'
  | 'failure'
  | 'pointer'
  | 'field'
  | 'place'
  | 'source';

type Rule = readonly [MemberRole, RegExp];

/** On the letters and digits of a name, lower case. */
const RULES: readonly Rule[] = [
  ['status', /^(?:http|response)?status(?:code)?$|^http(?:response)?code$/],
  [
    'list',
    /^(?:errors|details|fields|violations|issues|problems|causes|faults|messages|reasons|suberrors|innererrors)$/,
  ],
  [
    'list',
    /^(?:validation|field|error|constraint|param|parameter|invalid)+(?:errors|details|violations|params|parameters|fields|messages)$/,
  ],
  [
    'code',
    /^(?:app|error|err|fault|problem|reason|internal)?(?:code|key|slug)$|^(?:error|exception)?type$|^(?:error)?reason$|^errorname$/,
  ],
  [
    'message',
    /^(?:error|err|user|developer|human|friendly|fault|exception|status)?(?:message|msg|detail|description|text|explanation)$/,
  ],
  ['message', /^details?$|^cause$|^summary$/],
  ['title', /^(?:title|label|statustext|heading)$/],
  ['error', /^(?:error|err|fault|exception|problem)$/],
  ['path', /^(?:instance|path|uri|url|endpoint)$|^request(?:uri|path|url)$/],
  ['method', /^(?:http|request)?method$|^verb$/],
  ['time', /^(?:timestamp|time|date|datetime|occurredat|createdat|ts)$/],
  ['trace', /^(?:trace|request|correlation|transaction|error|event|log|incident)(?:id|uuid|identifier)$/],
  ['success', /^(?:is)?(?:success|successful|succeeded|ok|valid)$/],
  ['failure', /^(?:is|has)?(?:error|failed|failure)$/],
];

/** On a member of one entry of a list of faults: these come first. */
const ENTRY_RULES: readonly Rule[] = [
  ['pointer', /^(?:json)?pointer$|^(?:instance|data|json|field)?path$|^location$|^loc$/],
  [
    'field',
    /^(?:field|property|attribute|param|parameter|argument|member|element)(?:name|path)?$|^(?:name|target|key)$/,
  ],
  ['place', /^(?:in|place)$/],
  ['source', /^source$/],
  ['code', /^(?:keyword|rule|constraint|validator|tag|kind)$/],
];

/** @param isEntry - whether the member stands in one of several faults */
export function memberRole(name: string, isEntry: boolean): MemberRole | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const find = (rules: readonly Rule[]): MemberRole | undefined => rules.find(([, test]) => test.test(plain))?.[0];
  return (isEntry ? find(ENTRY_RULES) : undefined) ?? find(RULES);
}

/** Services use this name for a code and for a text. */
export function isReason(name: string): boolean {
  return /^(?:error)?reason$/i.test(name.replace(/[^a-z]/gi, ''));
}
