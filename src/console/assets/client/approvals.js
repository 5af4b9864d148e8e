/**
 * Decisions on the page of approvals as fast as keys are typed. Without this script each one loads the page.
 *
 *     1. marks what is decided and goes on to the next post at once; what was decided is sent a moment later, together and in order
 *     2. puts the list that answers in the place of this one: posts that are the same stay, with the focus
 *     3. keeps what is typed while a question is on its way
 *
 * A decision names the post that was in sight at the key, as it was shown: the server refuses one that has changed since.
 */
import { main, question, unreached } from './page.js';

/** After the last decision: those of a burst are sent together, and can be undone together. */
const gatherMs = 600;
const mostAtOnce = 100;

// 1.
/** What is to be sent: path, fields, and values of posts. */
const line = [];
let isSending = false;
let timer;

const cards = () => [...document.querySelectorAll('.approvals > li')];
const nameOf = (card) => card?.querySelector('.chosen')?.value;

function decide(decided, { path, fields }) {
  const all = cards();
  // Not back to a post that was passed over: the same key would decide it.
  const next = all
    .slice(all.indexOf(decided.at(-1)) + 1)
    .find((card) => !card.inert && !decided.includes(card));
  for (const card of decided) {
    Object.assign(card, { inert: true }).dataset.sent = '';
    card.querySelector('.chosen').checked = false;
  }
  // It would stay ticked above posts that come before the answer, and a key would take it away.
  for (const box of document.querySelectorAll('.rowform :is([name=page], [data-all])')) box.checked = false;
  next?.querySelector('.chosen').focus();
  const names = decided.map(nameOf);
  const last = line.at(-1);
  const isMore = last?.path === path && !path.includes('reject') && last.names.length < mostAtOnce;
  if (isMore) last.names.push(...names);
  else line.push({ path, fields, names });
  sendSoon();
}

function sendSoon() {
  clearTimeout(timer);
  timer = setTimeout(send, gatherMs);
}

function post({ path, fields, names }) {
  const body = new URLSearchParams([...fields, ...names.map((name) => ['post', name])]);
  return fetch(path, { method: 'POST', body, keepalive: true }).catch(() => undefined);
}

async function send() {
  if (isSending || line.length === 0) return;
  isSending = true;
  const sent = line.shift();
  const answer = await post(sent);
  const page = await answer?.text().catch(() => undefined);
  isSending = false;
  const next = new DOMParser().parseFromString(page ?? '', 'text/html');
  if (page === undefined) {
    line.length = 0;
    free(() => true);
    unreached();
  } else if (answer.redirected && next.querySelector('main h1')) show(next);
  // It asks first, or tells of an outage.
  else ask(sent);
  if (line.length > 0) sendSoon();
}

/** Gives posts back that are not on their way. */
function free(isFree) {
  for (const card of cards().filter((each) => each.inert && isFree(each))) {
    card.inert = false;
    delete card.dataset.sent;
  }
}

/** Sends it as the page does without this script. */
function ask({ path, fields, names }) {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of [...fields, ...names.map((each) => ['post', each])])
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
}

window.addEventListener('pagehide', () => {
  for (const each of line.splice(0)) post(each);
});

const fieldsOf = (form) =>
  [...new FormData(form)].filter(([name]) => !['post', 'one', 'page'].includes(name));

document.addEventListener(
  'click',
  (event) => {
    const button = event.target instanceof Element && event.target.closest('.rowform [data-key]');
    if (!button) return;
    const own = button.closest('.approvals > li');
    const chosen = own
      ? [own]
      : cards().filter((card) => card.querySelector('.chosen')?.checked && !card.inert);
    const isPlain =
      button.dataset.key === 'a' &&
      chosen.length > 0 &&
      chosen.every((card) => card.querySelector('[data-later]'));
    if (!isPlain) {
      asking = '';
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    decide(chosen, { path: new URL(button.formAction).pathname, fields: fieldsOf(button.form) });
  },
  true,
);

// The answer to a question.
document.addEventListener('submit', (event) => {
  const { target: form } = event;
  const path = new URL(form.action).pathname;
  if (event.defaultPrevented || !question?.contains(form) || !/\/approvals\/(?:approve|reject)$/.test(path))
    return;
  const values = new FormData(form).getAll('post');
  const decided = cards().filter((card) => values.includes(nameOf(card)));
  if (decided.length !== values.length) return;
  event.preventDefault();
  const fields = fieldsOf(form);
  question.close();
  decide(decided, { path, fields });
});

// 2.
function show(next) {
  const focused = document.activeElement?.closest('.approvals > li');
  const top = focused?.getBoundingClientRect().top;
  const old = main();
  const fresh = document.adoptNode(next.getElementById('main'));
  const known = new Map(cards().map((card) => [nameOf(card), card]));
  for (const card of fresh.querySelectorAll('.approvals > li')) {
    const same = known.get(nameOf(card));
    if (same) card.replaceWith(same);
  }
  old.replaceWith(fresh);
  document.querySelector('.top nav')?.replaceWith(document.adoptNode(next.querySelector('.top nav')));
  document.title = next.title;
  window.htmx.process(fresh);
  // Ends its stream.
  document.createElement('div').append(old);
  window.htmx.swap({ target: old, sourceElement: old, swap: 'delete', text: '' });
  free((card) => !line.some(({ names }) => names.includes(nameOf(card))));
  if (focused?.isConnected && !focused.inert) {
    focused.querySelector('.chosen').focus({ preventScroll: true });
    window.scrollBy({ top: focused.getBoundingClientRect().top - top, behavior: 'instant' });
  }
  document.dispatchEvent(new Event('htmx:after:swap'));
}

// 3.
/** What was typed since a question was asked for; undefined while none is on its way. */
let asking;

document.addEventListener(
  'keydown',
  (event) => {
    const { key, ctrlKey, metaKey } = event;
    if (asking === undefined || ctrlKey || metaKey) return;
    if (key === 'Backspace') asking = asking.slice(0, -1);
    else if (key.length === 1) asking += key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

document.addEventListener('htmx:after:swap', () => {
  const field = question?.open && question.querySelector('textarea');
  if (field && asking) field.value = asking;
  if (question?.open) asking = undefined;
});
for (const name of ['htmx:error', 'htmx:response:error'])
  document.addEventListener(name, () => {
    asking = undefined;
  });
