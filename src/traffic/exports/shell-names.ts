import { variableName } from './template';

/** Those that the script has for itself where a value is kept or used, and what jq reads as a word of its own. */
const OF_SCRIPT =
  /^(?:folder|failed|has_wrong_status|title|status|body_text|name|json|code|def|if|then|elif|else|end|as|reduce|foreach|try|catch|label|import|include|and|or|not|__\w*)$/;
/** `PATH`, `IFS`, `RANDOM`: bash, and what it starts, read them. */
const OF_SHELL = /^(?:[A-Z][A-Z\d_]*|_|\d.*|auto_resume|histchars)$/;
/** Who runs the script gives them, by the name that they have everywhere. */
const OF_ENVIRONMENT = /^(?:env\.|STANDIN_)/;

/**
 * The name of the variable of a shell that has a value. A contract may call a value as it likes: one called `folder` or
 * `PATH` must not take the place of what the script, or the shell, keeps there.
 */
export function shellName(name: string): string {
  const plain = variableName(name);
  const isTaken = OF_SCRIPT.test(plain) || (!OF_ENVIRONMENT.test(name) && OF_SHELL.test(plain));
  return isTaken ? `${plain}_value` : plain;
}
