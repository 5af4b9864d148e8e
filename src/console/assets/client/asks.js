/** Asks over the page, in a dialog, what a form leads to that changes nothing by itself. */
import { question, unreached } from './page.js';

export function parsed(page) {
  return new DOMParser().parseFromString(page, 'text/html');
}

/** The question of a page that has nothing else; what the console says of itself has no such title. */
export function questionOf(page) {
  return page.querySelector('main > section.question:has(> #question-title)');
}

/** @param asked as `questionOf` found it. */
export function ask(asked) {
  question.replaceChildren(asked);
  window.htmx.process(asked);
  document.dispatchEvent(new Event('htmx:after:swap'));
}

/** @returns undefined if there is no answer. */
export async function textOf(address, options) {
  const answer = await fetch(address, options).catch(() => undefined);
  return answer?.text().catch(() => undefined);
}

document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  // Pressed before everything has loaded, it leads to the page of the question.
  if (event.defaultPrevented || !window.htmx || !('asks' in form.dataset)) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, submitter));
  const page = await textOf(form.action, { method: 'POST', body });
  if (page === undefined) return unreached();
  const asked = questionOf(parsed(page));
  if (asked) return ask(asked);
  // The browser shows what else it is.
  delete form.dataset.asks;
  form.requestSubmit(submitter);
});
