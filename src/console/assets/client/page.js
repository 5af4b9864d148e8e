/**
 * Enhances plain pages. Without scripts everything still works, by reloading. This one is on every page, and others build on it.
 *
 *     1. tells the server the time zone of this browser, and loads the first page again in it; offers it where nobody has chosen one
 *     2. shows a question in a dialog instead of on a page of its own, and sends the fields of the page along with its form; fills
 *        them with what was picked from a list
 *     3. selects all rows of a page
 *     4. closes menus on Escape and on a click elsewhere, and scrolls the main menu to this page; goes to the search by the key /, and
 *        along the rows of a list by J and K
 *     5. holds forms back while Redis does not answer, and tells if the console does not: what was typed stays on the page
 *     6. prints a page that is made for paper
 *     7. removes a picture that could not be loaded: below it stands what it is of
 *     8. loads what shows videos, if there are any, after everything else; and what shows the figures of a plot when somebody points at one
 */
/** Uploads replace it. */
export const main = () => document.getElementById('main');
export const question = document.getElementById('question');
/** What had the focus when the question was asked. */
export let asker;

// 1.
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (!/(?:^|; )zone=/.test(document.cookie)) {
  const path = document.documentElement.dataset.base || '/';
  if (browserZone)
    document.cookie = `zone=${encodeURIComponent(browserZone)}; path=${path}; max-age=31536000; samesite=lax`;
  const { zone: shown, zoneOpen } = document.documentElement.dataset;
  // Only the answer to a link, and only if the cookie was taken: a page that a form answered with would be lost, or load for ever.
  const isLoadable = zoneOpen !== undefined && shown !== browserZone && !document.querySelector('.notice');
  if (isLoadable && /(?:^|; )zone=/.test(document.cookie)) {
    // An address with a place on the page would only go to the place.
    if (location.hash) location.reload();
    else location.replace(location.href);
  }
}

function offerZone() {
  const select = document.querySelector('select[data-browser-zone]');
  if (![...(select?.options ?? [])].some(({ value }) => value === browserZone)) return;
  // Once: what a person chooses then stays, whatever else of the page is updated.
  delete select.dataset.browserZone;
  select.value = browserZone;
  // Offered, not chosen: other buttons of the page do not save it.
  const offered = select.form?.elements['zone-offered'];
  if (offered) offered.value = browserZone;
}
offerZone();
document.addEventListener('htmx:after:swap', offerZone);

// 2.
document.addEventListener('htmx:after:swap', () => {
  document.getElementById('unreached')?.remove();
  if (!question?.childElementCount || question.open) return;
  asker = document.activeElement;
  question.showModal();
  // What has the focus may be at its end.
  question.scrollTop = 0;
});
/** Requests of the open question, such as a search in a list. */
const searches = new Set();
document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  if (question?.open && ctx.target === question) searches.add(ctx);
});
question?.addEventListener('close', () => {
  // A later answer would open it again.
  for (const ctx of searches) ctx.target = document.createElement('div');
  searches.clear();
  question.replaceChildren();
});
question?.addEventListener('click', (event) => {
  const back = event.target instanceof Element && event.target.closest('[data-back]');
  if (!back) return;
  event.preventDefault();
  question.close();
});

document.addEventListener('formdata', ({ target, formData }) => {
  const page = question?.contains(target) && document.getElementById(target.dataset.along ?? '');
  if (!page) return;
  for (const [name, value] of new FormData(page)) if (!formData.has(name)) formData.append(name, value);
});

// Puts what was picked from a list into the fields of the page.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !('fill' in event.target.dataset)) return;
  event.preventDefault();
  for (const [name, value] of new FormData(event.target)) {
    const field = main().querySelector(`.fields [name="${CSS.escape(name)}"]`);
    if (!field) continue;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const hiding = field.closest('details');
    if (hiding && value) hiding.open = true;
  }
  question.close();
});

// 3.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches('[name=page], [data-all]')) return;
  for (const box of target.form?.querySelectorAll('.chosen') ?? []) box.checked = target.checked;
});

// 4.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]'))
    if (!menu.contains(target) || target.closest?.('li :is(a, button)')) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
  const menu = document.querySelector('.menu[open]');
  if (key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

/** Whether a key may be a command: it types nothing, not even into a cell of a sheet, and no dialog is open. */
export function isCommand({ target, ctrlKey, metaKey, altKey, defaultPrevented }) {
  if (ctrlKey || metaKey || altKey || defaultPrevented || question?.open) return false;
  return !target.closest('select, textarea, [data-edit] td, input:not([type=radio], [type=checkbox])');
}

document.addEventListener('keydown', (event) => {
  const { key } = event;
  if (!['/', 'j', 'k'].includes(key) || !isCommand(event)) return;
  const rows = [...document.querySelectorAll('.rows tbody tr, .approvals > li:not([data-sent])')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = at < 0 ? rows[0] : rows[at + (key === 'j' ? 1 : -1)];
  const next =
    key === '/' ? document.getElementById('q') : row?.querySelector('th a, .approvals :is(.chosen, .play)');
  if (next) event.preventDefault();
  next?.focus();
});

for (const link of document.querySelectorAll('.top nav [aria-current]'))
  link.parentElement.scrollLeft = link.offsetLeft - (innerWidth - link.offsetWidth) / 2;

// 5.
document.addEventListener('submit', (event) => {
  const away = document.getElementById('away');
  const { target } = event;
  // Uploads wait by themselves.
  if (!away || !(target instanceof HTMLFormElement) || target.method !== 'post' || target.closest('#drop'))
    return;
  event.preventDefault();
  const inDialog = question?.contains(target);
  const said = inDialog ? heldIn(target) : away.querySelector('small');
  if (said)
    said.textContent =
      'Redis does not answer: nothing was sent. What you typed stays here. Press again when this notice is gone.';
  if (!inDialog) away.scrollIntoView();
});

/** Puts the notice into the dialog, which would hide the notice of the page. */
function heldIn(form) {
  const held = form.querySelector('[data-held]') ?? document.createElement('p');
  Object.assign(held, { className: 'note', role: 'status' });
  held.dataset.held = '';
  form.append(held);
  return held;
}

/** Shows a notice at the head of the page, once. */
export function tell(id, what, more) {
  if (document.getElementById(id)) return;
  const notice = document.createElement('div');
  Object.assign(notice, { id, className: 'notice', role: 'status' });
  notice.dataset.state = 'warning';
  notice.innerHTML =
    '<p><svg class="icon" width="16" height="16" aria-hidden="true"><use href="#i-warning"/></svg><span><b></b> <small></small></span></p>';
  notice.querySelector('b').textContent = what;
  notice.querySelector('small').textContent = more;
  main()?.prepend(notice);
}

/** A form or question got no answer. */
export function unreached(response) {
  if (response) return;
  tell('unreached', 'The console does not answer.', 'What you typed is still here. Try again in a moment.');
  document.getElementById('unreached')?.scrollIntoView();
}

for (const name of ['htmx:response:error', 'htmx:error']) {
  document.addEventListener(name, ({ target, detail }) => {
    // The stream of the page is the matter of `live.js`.
    if (target !== main()) unreached(detail.ctx?.response);
  });
}

// 6.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { loadAll } = await import('./pictures.js');
    await loadAll();
    print();
  });
}

// 7.
function removeBroken({ target }) {
  if (target instanceof HTMLImageElement && target.closest('.pic, .screen')) target.remove();
}
document.addEventListener('error', removeBroken, true);
for (const image of document.images)
  if (image.complete && image.naturalWidth === 0) removeBroken({ target: image });

// 8.
function loadPictures() {
  if (document.querySelector('video[data-src]')) import('./pictures.js');
}
window.addEventListener('load', loadPictures);
document.addEventListener('htmx:after:swap', loadPictures);

function loadPlots(event) {
  if (!(event.target instanceof Element && event.target.closest('figure.plot'))) return;
  document.removeEventListener('pointerover', loadPlots);
  import('./plots.js').then(({ show }) => show(event));
}
document.addEventListener('pointerover', loadPlots);
