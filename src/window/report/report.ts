// What the page of a run does beside showing itself: its filters, and opening what an address leads to.

/** Shows the steps of the chosen verdicts; without a script all of them are there. */
function filterSteps(form: HTMLFormElement): void {
  form.hidden = false;
  form.addEventListener('change', () => {
    const chosen = new Set([...form.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value));
    for (const row of document.querySelectorAll<HTMLElement>('tr[data-verdict]'))
      row.hidden = !chosen.has(row.dataset['verdict'] ?? '');
  });
}

/** Shows the findings that hold a text. */
function filterFindings(form: HTMLFormElement): void {
  const input = form.querySelector('input');
  const output = form.querySelector('output');
  const findings = [...document.querySelectorAll<HTMLElement>('article[data-cause]')];
  if (input === null || output === null || findings.length < 2) return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    for (const finding of findings) finding.hidden = !finding.textContent.toLowerCase().includes(wanted);
    const shown = findings.filter(({ hidden }) => !hidden).length;
    output.textContent = wanted === '' ? '' : `${shown} of ${findings.length}`;
  });
}

/** An address such as `#finding-1a2b3c` shows its finding, also where a filter hides it. */
function followAddress(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  target.hidden = false;
  target.scrollIntoView();
}

for (const [id, start] of [
  ['filter', filterSteps],
  ['find', filterFindings],
] as const) {
  const form = document.getElementById(id);
  if (form instanceof HTMLFormElement) start(form);
}
addEventListener('hashchange', followAddress);
followAddress();
