import type { Operation } from '../openapi/model';
import { successSchema } from './bodies';
import { shapeHolding } from './body-shape';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft } from './draft';
import { wordsOf } from './inflection';
import { lastLiteral, type Segment } from './path-template';
import { isScalar } from './key-elsewhere';
import type { Choice } from './resource-model';
import { tellsMaking } from './time-names';

/** A choice that does not hang on who asks. */
type NamedChoice = Exclude<Choice, { by: 'caller' }>;

/** Words in the place of a key that mean the item that was made last. */
const LATEST = /^(?:latest|newest|most-?_?recent|last)$/i;
/** Last words of names of members by which things are known. */
const NAMING = new Set(['name', 'id', 'key', 'code', 'slug', 'number', 'address', 'label']);

/**
 * Binds what reads one item of a collection by something else than its key: `GET /things/latest`, and
 * `GET /things/tags/{tag}` where things have a member `tag` or `tag_name`.
 *
 * @returns was it bound?
 */
export function bindChoice(inference: Inference, operation: Operation, draft: ResourceDraft, depth: number): boolean {
  const { reader, index } = inference;
  const name = lastLiteral(draft.template.segments);
  const response = shapeHolding(reader, successSchema(operation), draft.schema, name);
  const isSame = response?.item !== undefined && reader.areSame(response.item, draft.schema);
  const behind = index.templateOf(operation)?.segments.slice(depth) ?? [];
  const choice = isSame && response.form === 'item' ? choiceIn(inference, behind, draft) : undefined;
  if (choice === undefined) return false;
  const thing = schemaName(draft.schema);
  const which =
    choice.by === 'latest' ? `the ${thing} that was made last` : `the ${thing} whose "${choice.member}" is in its path`;
  draft.uses.push(
    toUse(inference, operation, 'read', {
      depth,
      isOnItem: false,
      request: undefined,
      response,
      choice,
      confidence: 'medium',
      text: `answers ${which}`,
    }),
  );
  return true;
}

/** What stands behind a collection in a path, as the choice of one of its items. */
function choiceIn(inference: Inference, behind: readonly Segment[], draft: ResourceDraft): NamedChoice | undefined {
  const [first, second, ...more] = behind;
  if (first?.kind !== 'literal' || more.length > 0) return undefined;
  return second === undefined ? latest(inference, first.text, draft) : byMember(inference, second, draft);
}

function latest({ reader }: Inference, word: string, { schema }: ResourceDraft): NamedChoice | undefined {
  if (!LATEST.test(word)) return undefined;
  return { by: 'latest', member: [...reader.members(schema).keys()].find(tellsMaking) };
}

function byMember({ reader }: Inference, segment: Segment, { schema }: ResourceDraft): NamedChoice | undefined {
  const parameter = segment.kind === 'variable' ? segment.name : undefined;
  if (parameter === undefined) return undefined;
  const wanted = wordsOf(parameter).join(' ');
  const isNamed = (name: string): boolean => {
    const words = wordsOf(name);
    return words.join(' ') === wanted || (NAMING.has(words.at(-1) ?? '') && words.slice(0, -1).join(' ') === wanted);
  };
  const member = [...reader.members(schema).values()].find((each) => isScalar(each) && isNamed(each.name));
  return member === undefined ? undefined : { by: 'member', member: member.name, parameter };
}
