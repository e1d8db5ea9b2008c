import { email, integer, object, orNull, reader, type Rule, text, word } from '../frame/input';

const SLUG = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const TIME = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The date of RFC 3339, if there is such a day. */
export function isDay(value: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** A time in UTC; `undefined` for what is no date-time of RFC 3339. */
export function utcOf(value: string): string | undefined {
  if (!TIME.test(value) || !isDay(value.slice(0, 10))) return undefined;
  const utc = new Date(value.toUpperCase()).toISOString();
  return utc.length === 24 ? utc : undefined;
}

const fits =
  (isRight: (value: string) => boolean): Rule =>
  (value) =>
    typeof value === 'string' && isRight(value) ? undefined : 'Has another form.';

const number =
  (isRight: (value: number) => boolean): Rule =>
  (value) =>
    typeof value === 'number' && isRight(value) ? undefined : 'Has to be another number.';

const isId: Rule = (value) => (typeof value === 'string' ? undefined : 'Has to be an id.');

const slug = text(2, 40, SLUG);
export const isSlug = (value: string): boolean => slug(value) === undefined;
export const TEMPERATURES = ['room', 'chilled', 'frozen'] as const;

const tube = object(['colour', 'volume_ml'], {
  colour: word('red', 'lavender', 'green', 'grey', 'blue'),
  volume_ml: number((value) => value > 0 && value <= 50),
});

const tubes: Rule = (value) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > 6) return 'Has to be a list of 1 to 6.';
  return value.map(tube).find((wrong) => wrong !== undefined);
};

export const readSampleType = reader(['title', 'unit_price', 'on_shelf', 'tubes'], {
  title: text(1, 80),
  unit_price: integer(0, 1_000_000),
  on_shelf: integer(0, 10_000),
  tubes,
  temperature: word(...TEMPERATURES),
  note: text(0, 300),
});

const PATIENT = { full_name: text(1, 100), email, born_on: fits(isDay), phone: text(7, 16, /^\+[0-9]{6,15}$/) };
const address = object([], { street: text(0, 80), city: text(0, 80), postcode: text(4, 6, /^[0-9]{4,6}$/) });
export const readPatient = reader(['full_name', 'email'], { ...PATIENT, address });
export const readPatch = reader([], {
  ...PATIENT,
  born_on: orNull(PATIENT.born_on),
  phone: orNull(PATIENT.phone),
  address,
});

export const readOrder = reader(['kit', 'for_patient', 'quantity'], {
  kit: slug,
  for_patient: isId,
  quantity: integer(1, 50),
});
export const readAppointment = reader(['for_patient', 'starts_at', 'minutes'], {
  for_patient: isId,
  starts_at: fits((value) => utcOf(value) !== undefined),
  minutes: integer(10, 120),
  reason: text(0, 200),
});
export const readResult = reader(['analyte', 'value', 'unit'], {
  analyte: text(1, 60),
  value: number((value) => value >= 0 && value <= 1_000_000),
  unit: text(1, 20),
  remark: text(0, 500),
});
