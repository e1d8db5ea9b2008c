// What the Docker Engine does beyond its description: https://docs.docker.com/reference/api/engine/
import type { FilterEvent, Item, JsonValue, RuleEvent, Rules } from 'standin';

type Test = (item: Item) => boolean;

/** What stands at the end of members that lead on from an item. */
function valueAt(item: Item, path: string): JsonValue | undefined {
  let at: unknown = item;
  for (const name of path.split('.'))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name as never] : undefined;
  return at as JsonValue | undefined;
}

function textAt(item: Item, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : '';
}

function labelled(item: Item, wanted: string): boolean {
  const labels = valueAt(item, 'Config.Labels') ?? valueAt(item, 'Labels');
  const [name = '', ...rest] = wanted.split('=');
  if (typeof labels !== 'object' || labels === null || !Object.hasOwn(labels, name)) return false;
  return rest.length === 0 || labels[name as never] === rest.join('=');
}

function tagged(item: Item, reference: string): boolean {
  const tags = valueAt(item, 'RepoTags');
  return (
    Array.isArray(tags) &&
    tags.some((tag) => tag === reference || (typeof tag === 'string' && tag.split(':')[0] === reference))
  );
}

/** Is one of the values of a filter what an item has? By the name of the filter. */
const FILTERS: Readonly<Record<string, (item: Item, wanted: string) => boolean>> = {
  name: (item, wanted) => textAt(item, 'Name').replace(/^\//, '').includes(wanted.replace(/^\//, '')),
  id: (item, wanted) => textAt(item, 'Id').startsWith(wanted) || textAt(item, 'ID').startsWith(wanted),
  label: labelled,
  status: (item, wanted) => textAt(item, 'State.Status') === wanted,
  ancestor: (item, wanted) => textAt(item, 'Config.Image') === wanted || textAt(item, 'Image') === wanted,
  exited: (item, wanted) =>
    textAt(item, 'State.Status') === 'exited' && (valueAt(item, 'State.ExitCode') ?? 0) === Number(wanted),
  driver: (item, wanted) => textAt(item, 'Driver') === wanted,
  scope: (item, wanted) => textAt(item, 'Scope') === wanted,
  reference: tagged,
  dangling: (item, wanted) => {
    const tags = valueAt(item, 'RepoTags');
    return (Array.isArray(tags) && tags.length === 0) === ['true', '1'].includes(wanted);
  },
};

/** `{"label":["a=b"],"status":{"running":true}}`: one value of each filter must hold. */
function filters(event: FilterEvent): Test | undefined {
  const { value } = event;
  if (typeof value !== 'string' || value === '') return undefined;
  let asked: unknown;
  try {
    asked = JSON.parse(value);
  } catch {
    return event.refuse(400, 'invalid_filter', `filters is no JSON: ${value}`);
  }
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    return event.refuse(400, 'invalid_filter', `filters is no object: ${value}`);
  const tests = Object.entries(asked).map(([name, values]): Test => {
    const holds = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (holds === undefined) return event.refuse(400, 'invalid_filter', `invalid filter '${name}'`);
    // A list, or the map with true values that the command line sends.
    const wanted = Array.isArray(values) ? values.map(String) : Object.keys((values ?? {}) as object);
    return (item) => wanted.some((each) => holds(item, each));
  });
  return (item) => tests.every((test) => test(item));
}

/** Without `all` a list of containers has those that run, unless it is asked for a status. */
function all({ value, operation, query }: FilterEvent): Test | undefined {
  if (operation !== 'ContainerList' || value === true) return undefined;
  const { filters: asked } = query;
  return typeof asked === 'string' && asked.includes('"status"')
    ? undefined
    : (item) => ['running', 'paused', 'restarting'].includes(textAt(item, 'State.Status'));
}

/** Names of containers begin with a slash, however they are sent; one that was sent without any gets one. */
function nameContainer({ item }: RuleEvent): void {
  const name = typeof item['Name'] === 'string' ? item['Name'].replace(/^\//, '') : '';
  const id = typeof item['Id'] === 'string' ? item['Id'] : '';
  item['Name'] = `/${name === '' ? `container_${id.slice(0, 12)}` : name}`;
}

const rules: Rules = {
  standin: 'rules/1',
  beginning: 'seeded',
  operations: { ContainerCreate: nameContainer, ContainerRename: nameContainer },
  filters: { filters, all },
};

export default rules;
