/** `['book', 'pages']` as `bookPages`. */
export function camelCase(words: readonly string[]): string {
  return words.map((word, index) => (index === 0 ? word : capital(word))).join('');
}

/** `['book', 'pages']` as `BookPages`. */
export function pascalCase(words: readonly string[]): string {
  return words.map(capital).join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A name that is not taken yet: itself, or with the first number from 2 on. */
export function uniqueName(name: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.has(`${name}${count}`)) return `${name}${count}`;
}
