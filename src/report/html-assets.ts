/** Style of the page: colours of the system, light or dark. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --quiet: #59636e; --line: #d1d9e0; --pass: #1a7f37; --fail: #cf222e; --error: #8250df; --skipped: #59636e; --soft: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --quiet: #9198a1; --line: #3d444d; --pass: #3fb950; --fail: #f85149; --error: #ab7df8; --skipped: #9198a1; --soft: #151b23; }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }
h1, h2, h3 { line-height: 1.25; }
h3 { font-size: 1rem; }
code, pre { font: 0.875em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: 6px; overflow-x: auto; padding: 0.75rem; white-space: pre-wrap; }
article { border: 1px solid var(--line); border-left: 4px solid var(--fail); border-radius: 6px; margin: 1rem 0; padding: 0 1rem; }
article[data-cause="error"] { border-left-color: var(--error); }
dl { display: grid; gap: 0 1rem; grid-template-columns: max-content 1fr; }
dt, .quiet, caption { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; overflow-wrap: break-word; }
th { white-space: nowrap; }
.pass { color: var(--pass); } .fail { color: var(--fail); } .error { color: var(--error); } .skipped { color: var(--skipped); }
fieldset { border: 0; padding: 0; }
label { margin-right: 1rem; }
`;

/** Shows the steps of the chosen verdicts; without it all of them are there. */
export const HTML_SCRIPT = `
const form = document.getElementById('filter');
form.hidden = false;
form.addEventListener('change', () => {
  const chosen = new Set([...form.querySelectorAll('input:checked')].map((input) => input.value));
  for (const row of document.querySelectorAll('tr[data-verdict]')) row.hidden = !chosen.has(row.dataset.verdict);
});
`;
