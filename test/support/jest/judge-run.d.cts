export interface FileResult {
  readonly file: string;
  readonly cpuMs: number;
  readonly failed: boolean;
}
export function judgeRun(
  files: readonly FileResult[],
  runAlone: (file: string) => { readonly passed: boolean; readonly cpuMs: number },
  options: { readonly hasBudget: boolean; readonly measureSlowness: () => number },
): { readonly passed: boolean; readonly lines: string[] };
export function describeCosts(files: readonly FileResult[], count: number): string[];
