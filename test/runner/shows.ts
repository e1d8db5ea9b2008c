import { THEATRE } from '../support/theatre';

interface Described {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const { paths, components, ...rest } = JSON.parse(THEATRE) as Described;

/** The description of a theatre without bookings, as JSON: to check and compile a description costs as much as a run. */
export const SHOWS = JSON.stringify({
  ...rest,
  paths: withoutBookings(paths),
  components: { schemas: withoutBookings(components.schemas) },
});

function withoutBookings(all: Readonly<Record<string, object>>): object {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !/booking/i.test(name)));
}
