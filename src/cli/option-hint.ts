/** Words for the description that other tools have as an option. */
const DESCRIPTION_OPTIONS =
  /^--(?:spec|openapi|open-api|oas|swagger|description|document|api|schema|file|input)(?:=|$)/;

/** Commands that take the description as an option, and not as an argument. */
const WITH_SPEC: readonly string[] = ['verify', 'cleanup'];

/**
 * What was meant by an option that a command does not have, where it is the description.
 *
 * @param args - the arguments of the command line, the command first
 */
export function optionHint(option: string, [command = '']: readonly string[]): string | undefined {
  if (!DESCRIPTION_OPTIONS.test(option)) return undefined;
  return WITH_SPEC.includes(command)
    ? 'The description is chosen with --spec: --spec openapi.yaml'
    : `The description has no option before it: standin ${command} openapi.yaml`;
}
