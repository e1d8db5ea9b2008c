/** Is a file named by its address on the web, and not by its path? */
export function isAddress(name: string): boolean {
  return /^https?:\/\//i.test(name);
}
