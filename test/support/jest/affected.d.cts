export function findAffectedTests(changed?: readonly string[]): Map<string, number>;
export function listChangedFiles(since?: string): string[];
