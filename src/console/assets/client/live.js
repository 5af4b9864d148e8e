/**
 * Keeps the parts of a page up to date by its stream of events.
 *
 *     1. updates parts, but none that is in use: focused, selected, in an open menu or dialog, in a form that was touched. Such a part
 *        follows when it is free
 *     2. shows in the head whether the page is live
 */
import { main, question, tell } from './page.js';

const lostAfterMs = 5000;
const againAfterMs = 2000;
const clock = document.getElementById('clock');
/** In which zone times are. */
const times = clock.title;
const touched = new WeakSet();

// 1.
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element) touched.add(target.closest('form') ?? target);
});

/** The newest state of parts that were in use when it came, by id. */
const awaited = new Map();
/** The stream of the page that is shown. */
let stream;

function isUnderHand(part) {
  if (question?.open || part.contains(document.activeElement)) return true;
  const selection = getSelection();
  if (selection && !selection.isCollapsed && selection.containsNode(part, true)) return true;
  if (part.querySelector('.menu[open]')) return true;
  // A fact in a form, such as the state of a row beside its box.
  if ('fact' in part.dataset) return false;
  return [part.closest('form'), ...part.querySelectorAll('form')].some((form) => form && touched.has(form));
}

document.addEventListener('htmx:sse:before:message', ({ detail }) => {
  const { message } = detail;
  const parts = document.createElement('template');
  parts.innerHTML = message.data;
  for (const part of [...parts.content.children]) {
    const title = part.querySelector('[data-title]')?.dataset.title;
    if (title) document.title = title;
    const shown = document.getElementById(part.id);
    awaited.delete(part.id);
    if (shown && isUnderHand(shown)) awaited.set(part.id, part);
    if (!shown || awaited.has(part.id)) part.remove();
  }
  message.data = parts.innerHTML;
  if (message.event !== 'away') live();
});

/** Shows what came for parts that were in use then, and are not any more. */
function catchUp() {
  for (const [id, part] of awaited) {
    const shown = document.getElementById(id);
    if (shown && isUnderHand(shown)) continue;
    awaited.delete(id);
    shown?.replaceWith(...part.childNodes);
    window.htmx.process(document.getElementById(id) ?? main());
    document.dispatchEvent(new Event('htmx:after:swap'));
  }
}

// 2.
let lost;
/** The stream has ended for good: no further attempt. */
let isOver = false;
let lastAt = new Date();

function timeOf(date) {
  return date.toLocaleTimeString('en-GB', { timeZone: document.documentElement.dataset.zone });
}

/** Changes a word only when it is another: a screen reader reads it aloud. */
function showState(state, word, more) {
  clock.dataset.state = state;
  clock.title = more;
  if (clock.textContent !== word) clock.textContent = word;
}

function live() {
  clearTimeout(lost);
  lost = undefined;
  lastAt = new Date();
  showState('live', 'Live', `As of ${timeOf(lastAt)}. ${times}`);
  for (const notice of document.querySelectorAll('#away, [data-held]')) notice.remove();
  catchUp();
}

function notLive() {
  if (isOver || lost !== undefined || document.hidden) return;
  const since = timeOf(lastAt);
  lost = setTimeout(() => {
    showState(
      'warning',
      `Not updating since ${since}`,
      'The connection is gone. The page retries automatically.',
    );
  }, lostAfterMs);
}

document.addEventListener('alive', live);
document.addEventListener('away', ({ detail }) => {
  tell(
    'away',
    `Redis has not answered since ${timeOf(new Date(detail.data))}.`,
    'The figures are from that time. Nothing is sent and nothing is lost. The page resumes automatically.',
  );
});

/** @param status of the answer; undefined if there was none. @returns whether to try again. */
function missed(status) {
  if (status === 401) over('Your session has ended.', 'Load the page again to sign in.');
  else notLive();
  return !isOver;
}

function over(what, more) {
  isOver = true;
  clearTimeout(lost);
  showState('warning', `Not updating since ${timeOf(lastAt)}`, more);
  tell('over', what, more);
}

document.addEventListener('gone', () => over('This was deleted.', 'The page shows it as it was.'));
document.addEventListener('htmx:sse:error', ({ detail }) => missed(detail.status));
document.addEventListener('htmx:sse:close', notLive);
document.addEventListener('htmx:sse:before:connection', ({ detail: { connection } }) => {
  if (isOver) connection.cancelled = true;
  if (connection === stream) return;
  // Another page has come in place. Browsers open few connections at once, and what waits for a free part is of the page before.
  stream?.abortController.abort();
  stream = connection;
  awaited.clear();
});

// htmx reconnects only a stream that had opened.
const begin = () => window.htmx.ajax('GET', main().getAttribute('hx-sse:connect'), { source: main() });
for (const name of ['htmx:response:error', 'htmx:error']) {
  document.addEventListener(name, ({ target, detail }) => {
    if (target === main() && missed(detail.ctx?.response?.status)) setTimeout(begin, againAfterMs);
  });
}
