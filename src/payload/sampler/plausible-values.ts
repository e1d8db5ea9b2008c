import { singularWords, wordsOf } from '../../core/text/inflection';
import { once } from '../../core/text/memoize';
import { isCreationTimeName, isUpdateTimeName } from '../../openapi/naming/property-names';
import { type Chance, derive, hexDigits, integerBelow, pick } from './chance';
import * as texts from './format-text';
import * as words from './words';

/**
 * Where made-up images are: a name that nobody can have (RFC 2606 §2). Who answers puts its own address in its place,
 * so that the samples of a seed are the same on every machine, and a page shows its images offline.
 */
export const IMAGES = 'https://images.standin.invalid';

const IMAGE_SIZES = ['640x480', '320x240', '400x400', '800x600'];

type MakeText = (chance: Chance) => string;
type MakeNumber = (chance: Chance) => number;

/** What a property of this name usually holds. */
export interface Plausible {
  readonly name: string;
  readonly text: MakeText | undefined;
  readonly number: MakeNumber | undefined;
  /** Texts of a format, where the name says more than the format does: a birthday is not a day of last year. */
  readonly formats?: Readonly<Record<string, MakeText>> | undefined;
  /** What the properties of one object that have the same are reported of: they are made of one chance, and fit each other. */
  readonly about?: string | undefined;
  /** Do texts differ from item to item although the description shows an example: names, titles, keys? */
  readonly isVaried: boolean;
}

const from =
  (list: readonly string[]): MakeText =>
  (chance) =>
    pick(chance, list) ?? '';
const between =
  (low: number, high: number): MakeNumber =>
  (chance) =>
    low + integerBelow(chance, high - low + 1);
const price: MakeNumber = (chance) =>
  integerBelow(chance, 200) + 1 + (pick(derive(chance, 1), [0.5, 0.95, 0.25, 0]) ?? 0);
const degrees =
  (limit: number): MakeNumber =>
  (chance) =>
    (integerBelow(chance, limit * 20_000) - limit * 10_000) / 10_000;
const fullName: MakeText = (chance) =>
  `${from(words.FIRST_NAMES)(chance)} ${from(words.LAST_NAMES)(derive(chance, 1))}`;
const address: MakeText = (chance) => `${integerBelow(derive(chance, 1), 90) + 1} ${from(words.STREETS)(chance)}`;
const age: MakeNumber = (chance) => 18 + integerBelow(chance, 63);
const birthday: MakeText = (chance) => texts.birthdayText(chance, age(chance));
const image: MakeText = (chance) => `${IMAGES}/${pick(chance, IMAGE_SIZES) ?? ''}.svg?${texts.word(derive(chance, 1))}`;
const code: MakeText = (chance) =>
  `${texts.word(chance).slice(0, 3).toUpperCase()}-${integerBelow(derive(chance, 1), 9000) + 1000}`;
const slug: MakeText = (chance) => `${texts.word(chance)}-${texts.word(derive(chance, 1))}`;

/** By the whole name, lower case, letters and digits only; the first that matches counts. */
const TEXTS: readonly (readonly [RegExp, MakeText])[] = [
  [/^(?:first|given)name$|^name(?:first|given)$/, from(words.FIRST_NAMES)],
  [/^(?:last|family|sur)(?:name)?$|^name(?:last|family)$/, (chance) => from(words.LAST_NAMES)(derive(chance, 1))],
  [/^(?:full|display|real)name$/, fullName],
  [
    /^(?:user|nick|screen)name$|^login$|^handle$/,
    (chance) => `${from(words.FIRST_NAMES)(chance)}${integerBelow(chance, 90) + 10}`.toLowerCase(),
  ],
  [/^(?:company|organi[sz]ation|employer|vendor|supplier|brand|manufacturer)(?:name)?$/, from(words.COMPANIES)],
  [/^file(?:name)?$|^attachment$/, from(words.FILES)],
  [/e?mail(?:address)?$/, texts.emailText],
  [/(?:phone|mobile|dial(?:ing)?|calling)(?:country)?(?:code|prefix)$/, from(words.DIALING_CODES)],
  [/(?:phone|mobile|fax|telephone)(?:number)?$|^tel$/, texts.phoneText],
  [/^(?:street|address|addressline|line)\d*$|^(?:street|home|billing|shipping)address$|^street(?:name)?$/, address],
  [/city$|^town$|^locality$|^place$|^location$/, from(words.CITIES)],
  [/^country(?:name)?$/, from(words.COUNTRIES)],
  [/country(?:iso)?code$|^iso2?$/, from(words.COUNTRY_CODES)],
  [/^(?:region|province|county)$/, from(words.STATES)],
  [/^(?:zip|postal|post)(?:code)?$/, (chance) => String(integerBelow(chance, 89_999) + 10_000)],
  [/colou?r$/, from(words.COLOURS)],
  [/(?<!con)currency(?:iso)?(?:code)?$/, from(words.CURRENCIES)],
  [/lang(?:uage)?(?:code)?$/, from(words.LANGUAGES)],
  [/locale(?:code)?$/, from(words.LOCALES)],
  [/timezone(?:id|name)?$|^tz$/, from(words.TIME_ZONES)],
  [/(?:mime|media|content)type$/, from(words.MEDIA_TYPES)],
  [/^unit$/, from(words.UNITS)],
  [/^(?:job|role|position|occupation)(?:title)?$/, from(words.JOBS)],
  [/^tokentype$/, () => 'Bearer'],
  [/^(?:status|state)$/, from(words.STATUS_WORDS)],
  [/^(?:tag|label|keyword|kind|type|genre|group)$/, from(words.TAGS)],
  [/^(?:title|headline|subject|caption)$/, from(words.TITLES)],
  [
    /^(?:desc|description|summary|text|body|content|comment|note|message|msg|bio|about|details?|review|reason|information)s?$/,
    from(words.SENTENCES),
  ],
  [/days?of(?:the)?weeks?$|^weekdays?$/, from(words.WEEKDAYS)],
  [/html$/, (chance) => `<p>${from(words.SENTENCES)(chance)}</p>`],
  [/xml$/, (chance) => `<note>${from(words.SENTENCES)(chance)}</note>`],
  [/^gender$|^sex$/, from(words.GENDERS)],
  [/^bic$|^swift(?:code)?$/, from(words.BICS)],
  [/(?:url|uri|link|href|website|homepage|image|avatar|picture|photo|thumbnail|logo)$/, texts.uriText],
  [/(?:uuid|guid)$/, texts.uuidText],
  [/^iban$/, from(words.IBANS)],
  [/^(?:sku|code|reference|ref|number|barcode|serial(?:number)?)$|(?:code|number)$/, code],
  [/^slug$|^permalink$/, slug],
  [/md5(?:hash|sum)?$/, (chance) => hexDigits(chance, 32)],
  [/sha256(?:hash|sum)?$/, (chance) => hexDigits(chance, 64)],
  [/^(?:hash|checksum|digest|etag|commit)$|sha1?$/, (chance) => hexDigits(chance, 40)],
  [/jwt$|^idtoken$/, texts.jwtText],
  [/(?:token|secret|apikey|password)$/, (chance) => hexDigits(chance, 24)],
  [
    /(?<!con|in|di)version$/,
    (chance) =>
      `${integerBelow(chance, 4) + 1}.${integerBelow(derive(chance, 1), 10)}.${integerBelow(derive(chance, 2), 10)}`,
  ],
  [/ipv6(?:address)?$/, texts.ipv6Text],
  [/ip(?:v4)?address$|ipv4$|^(?:client|remote|server|source|host|public|private|user|last|local)?ip$/, texts.ipText],
  [/^mac(?:address)?$/, (chance) => `02:${hexDigits(chance, 10).replaceAll(/..(?=.)/g, '$&:')}`],
  [/^(?:host|domain|server)(?:name)?$|(?:host|domain)name$|^fqdn$/, texts.hostText],
  [/^port(?:number)?$/, (chance) => String(between(1024, 9999)(chance))],
  [/^(?:lat|latitude)$/, (chance) => String(degrees(80)(chance))],
  [/^(?:lon|lng|longitude)$/, (chance) => String(degrees(170)(chance))],
  [/^percent(?:age)?$/, (chance) => String(between(0, 100)(chance))],
  [/duration$/, texts.durationText],
  [/^path$/, (chance) => `/${texts.word(chance)}/${texts.word(derive(chance, 1))}`],
  [/^(?:price|amount|total|cost|balance)$/, (chance) => price(chance).toFixed(2)],
  [/^id$/, (chance) => hexDigits(chance, 12)],
  [/^name$|name$/, from(words.NAMES)],
];

/**
 * Last words of names that say what the text is whatever stands before them: `shortDescription`, `billing_country`. Others
 * say it alone only: a `line` is one of an address, a `commandLine` is not.
 */
const TELLING_LAST =
  /^(?:id|status|state|type|kind|tag|label|group|title|subject|caption|desc|description|summary|text|message|msg|comment|note|details?|reason|country|region|province|address|city|company|vendor|supplier|brand|manufacturer|hash|checksum|digest|host|domain|price|amount|total|cost|balance|percent|percentage|file|unit|role|iban|slug)s?$/;

/** By how the name was written: `createdAt`, `created_at`, `publishedOn`, `startDate`. */
const DATES =
  /(?:[a-z]At|_at|Time|_time|Timestamp|_timestamp|DateUtc)$|^timestamp$|^datetime$|(?<!bas|turn|switch|power)ed_?[Oo]n$|^last_?(?:[Ss]een|[Uu]sed|[Aa]ccessed|[Ll]ogin|[Aa]ctive)$/;
const DAYS = /(?:Date|_date|Day|_day)$|^(?:date|day|birthday)$/;
/** The words of a name that tells until when something is valid, but not for how long. */
const EXPIRY =
  /(?:^| )(?:expir(?:es|e|y|ation)(?: (?:at|on|date|time|timestamp|datetime|utc))*|valid (?:until|to|through|thru)|not after)$/;

/** Does the property tell until when something is valid: `expires_at`, `expirationDate`, `validUntil`? */
export function isExpiryName(name: string): boolean {
  return EXPIRY.test(wordsOf(name).join(' '));
}

const BIRTHDAY = /^(?:dateofbirth|birth(?:day|date)|dob|born(?:at|on)?)$/;
const IMAGE = /(?:image|avatar|picture|photo|thumbnail|logo|icon)s?(?:ur[il]|link|href)?$/;

/** Last words of names by which people tell items apart. Words of all others, such as types and units, are literal. */
const VARIED = new Set(
  (
    'name title headline subject caption description summary text body content comment note message bio about details ' +
    'review email mail login handle author owner street address city town locality country phone mobile tel tag label ' +
    'keyword file attachment company image avatar picture photo thumbnail logo icon slug sku code reference ref number ' +
    'serial barcode id key uuid guid token secret password hash sha checksum digest etag'
  ).split(' '),
);
/** Words before `code` and `name` that say that there is a list of such words. */
const LISTED =
  /^(?:country|currency|lang|language|locale|status|error|reason|response|type|class|host|region|state) (?:code|name)$/;

function isVariedName(name: string): boolean {
  const words = singularWords(name);
  return (VARIED.has(words.at(-1) ?? '') || /.name$/i.test(name)) && !LISTED.test(words.slice(-2).join(' '));
}

/** What a name is about, by the whole name as {@link TEXTS} have it. */
const ABOUT: readonly (readonly [RegExp, 'person' | 'country'])[] = [
  [/^(?:first|given|last|family|sur|full|display|real|user|nick|screen)(?:name)?$|^login$|^handle$/, 'person'],
  [/^name(?:first|given|last|family)$/, 'person'],
  [/^(?:primary|work|contact)?e?mail(?:address)?$|^age$/, 'person'],
  [BIRTHDAY, 'person'],
  [/^country(?:name)?$|^country(?:iso)?code$|^iso2?$|^city$|^town$|^locality$/, 'country'],
  [/^(?:region|province|county)$|^currency(?:code)?$|^lang(?:uage)?$|^locale$|^time_?zone$/, 'country'],
];

/** Words for somebody who has a part in what an item is about: `author`, `authorName` and `author_email` are of one person. */
const ROLES = new Set(
  (
    'author owner assignee creator reporter reviewer approver customer recipient sender requester contact manager ' +
    'employee member buyer seller applicant patient student teacher driver editor uploader submitter organizer'
  ).split(' '),
);

/** What a property says of somebody in a role: who it is, or the part that the rest of its name is about. */
function roleIn(name: string): { readonly role: string; readonly plausible: Plausible } | undefined {
  const [role = '', ...rest] = wordsOf(name);
  if (!ROLES.has(role)) return undefined;
  const plausible = plausibleFor(rest.length === 0 || rest.join('') === 'name' ? 'fullName' : rest.join('_'));
  return plausible.about === 'person' ? { role, plausible } : undefined;
}

const NUMBERS: readonly (readonly [RegExp, MakeNumber])[] = [
  [/^age$/, age],
  // A token that ends within seconds is good for nothing.
  [/^(?:refresh)?(?:token)?expires?in(?:sec(?:ond)?s?)?$|^(?:ttl|maxage)(?:sec(?:ond)?s?)?$/, () => 3600],
  [/^(?:price|amount|total|subtotal|cost|balance|fee|tax|discount|salary)$|(?:price|amount|cost|total)$/, price],
  [/^(?:quantity|qty|count|stock|available|size)$|count$/, between(1, 40)],
  [/^(?:rating|score|stars)$/, between(1, 5)],
  [/^(?:percent|percentage|progress)$/, between(0, 100)],
  [/^(?:lat|latitude)$/, degrees(80)],
  [/^(?:lon|lng|long|longitude)$/, degrees(170)],
  [/month(?:ofyear)?$/, between(1, 12)],
  [/^day(?:of(?:the)?month)?$/, between(1, 28)],
  [/^(?:day(?:of(?:the)?week)|weekday)$/, between(1, 5)],
  [/year$/, between(1990, 2025)],
  [/hours?(?:ofday)?$/, between(0, 23)],
  [/(?:minutes?|seconds?)$/, between(0, 59)],
  [/^(?:page|index|offset|position|rank|order|priority|level|version)$/, between(1, 9)],
  [/^(?:weight|height|width|length|depth)$/, between(1, 120)],
  [/^port$/, between(1024, 9999)],
  [/^(?:status|statuscode)$/, () => 200],
];

const BIRTHDAYS = { date: birthday, 'date-time': (chance: Chance) => `${birthday(chance)}T00:00:00Z` };
const EXPIRIES = {
  date: (chance: Chance) => texts.expiry(chance).toISOString().slice(0, 10),
  'date-time': (chance: Chance) => `${texts.expiry(chance).toISOString().slice(0, 19)}Z`,
};
const IMAGE_ADDRESSES = { uri: image, url: image, iri: image };

const PLAUSIBLE_BY_NAME = new Map<string, Plausible>();

/** What a property of this name usually holds; a list passes its name on to its items. */
export function plausibleFor(name: string): Plausible {
  let plausible = PLAUSIBLE_BY_NAME.get(name);
  if (plausible === undefined) {
    // Names come from a description, which may have ten thousand of them: more are not kept.
    if (PLAUSIBLE_BY_NAME.size > 10_000) PLAUSIBLE_BY_NAME.clear();
    PLAUSIBLE_BY_NAME.set(name, (plausible = findPlausible(name)));
  }
  return plausible;
}

function findPlausible(name: string): Plausible {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const single = plain.replace(/([^su])s$/, '$1');
  const spellings = [plain, single, plain.replace(/\d+$/, '')];
  const find = <T>(list: readonly (readonly [RegExp, T])[]): T | undefined =>
    spellings.map((each) => list.find(([test]) => test.test(each))?.[1]).find((each) => each !== undefined);
  const about = ABOUT.find(([test]) => test.test(plain))?.[1];
  const isVaried = isVariedName(name);
  const inRole = roleIn(name);
  if (inRole !== undefined) return { ...inRole.plausible, name, about: `${inRole.role} as a person`, isVaried };
  if (BIRTHDAY.test(plain)) return { name, about, text: birthday, number: undefined, formats: BIRTHDAYS, isVaried };
  if (IMAGE.test(plain)) return { name, text: image, number: find(NUMBERS), formats: IMAGE_ADDRESSES, isVaried };
  if (isExpiryName(name))
    return {
      name,
      text: EXPIRIES['date-time'],
      number: (chance) => texts.expiry(chance).getTime() / 1000,
      formats: EXPIRIES,
      isVaried,
    };
  if (DATES.test(name) || isCreationTimeName(name) || isUpdateTimeName(name))
    return { name, text: texts.dateTimeText, number: texts.epochSeconds, isVaried };
  if (DAYS.test(name)) return { name, text: texts.dateText, number: find(NUMBERS) ?? texts.epochSeconds, isVaried };
  // Most properties are of one of the two types, and of many no value is ever made.
  const lastWord = singularWords(name).at(-1);
  const text = once(() => find(TEXTS) ?? textByLastWord(lastWord));
  const number = once(() => find(NUMBERS) ?? (lastWord === 'id' ? between(1, 99_999) : undefined));
  return {
    name,
    about,
    isVaried,
    get text() {
      return text();
    },
    get number() {
      return number();
    },
  };
}

function textByLastWord(word = ''): MakeText | undefined {
  if (word === 'ip') return texts.ipText;
  if (word === 'by') return fullName;
  const plain = word.replace(/\d+$/, '');
  return TELLING_LAST.test(plain) ? TEXTS.find(([test]) => test.test(plain))?.[1] : undefined;
}
