import { wordsOf } from './inflection';

/** How far a thing has come that is in a state: it begins, is in use, is under way, or has ended, well or not. */
export type Stage = 'beginning' | 'use' | 'unknown' | 'way' | 'end';

/** Members that hold a state. */
const STATE_NAMES = new Set(['status', 'state', 'phase', 'stage', 'lifecycle', 'condition']);

/** Stems of words for what has come to its end, or into trouble. */
const ENDS =
  /^(?:cancel|expir|delet|remov|destroy|terminat|fail|fault|error|broken|crash|dead|lost|clos|complet|finish|done$|end(?:ed|ing)?$|stop|succe(?:ed|ss)|reject|declin|den(?:y|ied)|refus|revok|archiv|abandon|abort|disabl|inactiv|deactivat|void|refund|resolv|solved|suspend|block|ban(?:ned)?$|paus|lock|overdue|past$|uncollect|unavailable|offline|unhealthy|degraded|down$|off$|merged|paid|deliver|undeliver|sold$|shipped|skipp|time(?:d|out)|obsolete|deprecat|retired|withdr|laps|invalid|disconnect|unsubscrib|bounc|spam|dismiss|won$|fulfil|returned|disput|charge(?:back|d)|busy|silenced|hidden|trash|churn|settled|captured|accepted|approved|exit|unreach|unknown|gone|conflict|warn|critical|bad$|poor|absent|missing|stale|limit|exceed)/;
/** Stems of words for what has only begun. */
const BEGINNINGS =
  /^(?:new$|draft|creat|initial|unstarted|open$|opened|todo$|backlog|queue|enqueue|pending|request|submit|receiv|schedul|wait|await|requir|incomplete|unpaid|unconfirmed|unverified|unread|unassigned|unfulfilled|provision|starting|prepar|regist|placed|plann|propos|inbox|triage|invited|uninit|ordered|initiat|not$|unresolved|unsent|untriaged|unpublished|uploading)/;
/** Words for what is as it should be. */
const IN_USE =
  /^(?:activ|enabled?$|availab|live$|running|ready$|online$|up$|ok$|okay$|healthy|valid$|normal|on$|publish|current|visible|public|good$|connect|trial|operational|open|working|started|standard|default|confirmed|verified)/;
/** Words for what is being done. */
const UNDER_WAY =
  /^(?:process|progress|in$|send|build|deploy|doing|ongoing|updat|partial|syncing|migrat|restart|sent$)/;

/** Is it a member that holds a state, such as `status` and `payment_status`? */
export function isStateName(name: string): boolean {
  return STATE_NAMES.has(wordsOf(name).at(-1) ?? '');
}

/**
 * What a word for a state says by its stems: `requires_action` begins, `canceled` ends. One word for an end makes the
 * whole an end: `incomplete_expired`.
 */
export function stageOf(state: string): Stage {
  const words = wordsOf(state);
  const [first = ''] = words;
  // What is not yet, or not any more, is the contrary of the rest.
  if (first === 'not' || first === 'never') return words.includes('found') ? 'end' : 'beginning';
  if (words.some((word) => ENDS.test(word) && !BEGINNINGS.test(word))) return 'end';
  if (words.some((word) => BEGINNINGS.test(word))) return 'beginning';
  if (words.some((word) => IN_USE.test(word))) return 'use';
  return words.some((word) => UNDER_WAY.test(word)) ? 'way' : 'unknown';
}

/** Do the words speak of how something goes from its beginning to its end? */
export function areStates(words: readonly string[]): boolean {
  const stages = new Set(words.map(stageOf));
  return stages.has('end') && (stages.has('beginning') || stages.has('use'));
}

const ORDER: readonly Stage[] = ['beginning', 'use', 'unknown', 'way'];

/**
 * The states in which a new thing may be, the likeliest first: what begins before what is in use, an end never.
 *
 * @param words - in the order in which they are lived through, as far as that is known
 */
export function beginningsAmong(words: readonly string[]): string[] {
  return ORDER.flatMap((stage) => words.filter((word) => stageOf(word) === stage));
}
