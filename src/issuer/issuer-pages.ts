import { htmlText as escape } from '../core/text/printable';
import type { IssuerUser } from './issuer-users';

/** A page of the issuer, as HTML. */
export interface IssuerPage {
  readonly title: string;
  /** Markup. */
  readonly body: string;
}

/** Nothing is loaded, and nothing runs, but for the form that sends itself. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

export function pageText({ title, body }: IssuerPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } ul { list-style: none; padding: 0; }
button, input[type=text] { font: inherit; padding: .5rem .75rem; width: 100%; box-sizing: border-box; margin-bottom: .5rem; text-align: left; }
code { font-size: 1.1rem; } .fault { border-left: 4px solid #b91c1c; padding-left: .75rem; }
</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** What a page asks for who signs in. */
interface SignInRequest {
  readonly api: string;
  readonly client: string;
  readonly scopes: readonly string[];
  readonly users: readonly IssuerUser[];
  /** Are there more than are shown? */
  readonly hasMore: boolean;
  /** What the client thinks who it is. */
  readonly hint: string | undefined;
  /** What was typed that nobody is called. */
  readonly unknown: string | undefined;
}

export function signInPage({ api, client, scopes, users, hasMore, hint, unknown }: SignInRequest): IssuerPage {
  const choices = users.map(
    ({ id, label }) => `<li><button name="user" value="${escape(id)}">${escape(label)}</button></li>`,
  );
  const wanted = scopes.length === 0 ? '' : `<p>It asks for: ${scopes.map(escape).join(', ')}.</p>`;
  const fault =
    unknown === undefined ? '' : `<p class="fault" role="alert">Nobody here is called “${escape(unknown)}”.</p>`;
  const list = choices.length === 0 ? '' : `<form method="post"><ul>\n${choices.join('\n')}\n</ul></form>`;
  const label =
    choices.length === 0
      ? 'Sign in as'
      : hasMore
        ? 'Somebody else, by id, user name or e-mail'
        : 'By id, user name or e-mail';
  return {
    title: `Sign in at ${api}`,
    body: `<p><b>${escape(client)}</b> wants to know who you are. This is a mock: no password is asked for.</p>
${wanted}
${fault}
${list}
<form method="post">
<label for="name">${label}</label>
<input type="text" id="name" name="user" value="${escape(hint ?? '')}" autocomplete="username" required>
<button>Sign in</button>
</form>`,
  };
}

/** @param form - of the library, which the button belongs to */
export function deviceCodePage(form: string, fault: string | undefined): IssuerPage {
  const said = fault === undefined ? '' : `<p class="fault" role="alert">${escape(fault)}</p>`;
  return {
    title: 'Connect a device',
    body: `${said}<p>Enter the code that the device shows.</p>\n${form}\n<button type="submit" form="op.deviceInputForm">Continue</button>`,
  };
}

export function deviceConfirmPage(form: string, client: string, code: string): IssuerPage {
  return {
    title: 'Connect a device',
    body: `<p><b>${escape(client)}</b> shows this code: <code>${escape(code)}</code></p>
${form}
<button type="submit" form="op.deviceConfirmForm">It is mine</button>
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">It is not</button>`,
  };
}

export function signOutPage(form: string): IssuerPage {
  return {
    title: 'Sign out',
    body: `${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button type="submit" form="op.logoutForm">Stay signed in</button>`,
  };
}

export function donePage(title: string, text: string): IssuerPage {
  return { title, body: `<p>${escape(text)}</p>` };
}

/** @param facts - `error`, `error_description` and more (RFC 6749 §4.1.2.1) */
export function faultPage(facts: Readonly<Record<string, unknown>>): IssuerPage {
  const shown = Object.entries(facts).filter(([name, value]) => name !== 'iss' && typeof value === 'string');
  const rows = shown.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(String(value))}</dd>`);
  return { title: 'The sign-in cannot go on', body: `<dl class="fault">${rows.join('')}</dl>` };
}
