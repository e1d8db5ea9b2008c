/** Entries that are kept: what was forgotten is made again, the same. */
const REMEMBERED = 2_000;

/** Enters what can be made anew at any time. The oldest entries make room. */
export function remember<T>(map: Map<string, T>, name: string, value: T): void {
  map.set(name, value);
  if (map.size <= REMEMBERED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
