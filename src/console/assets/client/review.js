/**
 * Decisions on rows in review, and on posts that wait for an approval.
 *
 *     1. selects "Posted" or "Generated" when its id is typed
 *     2. selects by a single key what names one, such as a choice; changes nothing by itself
 *     3. counts down until a choice can be made, and enables it; and until something can no longer be undone, and takes its button away
 */
import { isCommand } from './page.js';

// 1.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type === 'radio' || target.value.trim() === '') return;
  const radio = target.closest('div.choice')?.querySelector('input[type=radio]');
  if (radio) radio.checked = true;
});

// 2.
document.addEventListener('keydown', (event) => {
  const { key, repeat } = event;
  // A key that is held down decides once.
  if (!/^\w$/.test(key) || repeat || !isCommand(event)) return;
  // What is selected comes before the post that has the focus.
  const places = ['form:has(.chosen:checked) .dock', '.approvals > li:focus-within', 'main > :not(.rowform)'];
  const named = places
    .map((place) => document.querySelector(`${place} [data-key="${key.toLowerCase()}"]:not(:disabled)`))
    .find(Boolean);
  if (named instanceof HTMLInputElement) named.focus();
  named?.click();
});

// 3.
/** How far this clock is ahead of the server's. */
const ahead = Date.now() - Number(document.documentElement.dataset.now ?? Date.now());

function countDown() {
  for (const left of document.querySelectorAll('[data-in]')) {
    left.dataset.at ??= Date.now() + left.dataset.in * 1000;
    const seconds = Math.ceil((left.dataset.at - Date.now()) / 1000);
    left.textContent = seconds > 0 ? `in ${seconds} s` : 'now';
    if (seconds > 0) continue;
    delete left.dataset.in;
    for (const input of left.closest('label')?.querySelectorAll('input') ?? []) input.disabled = false;
  }
  for (const undo of document.querySelectorAll('[data-until]')) {
    const seconds = Math.ceil((Number(undo.dataset.until) + ahead - Date.now()) / 1000);
    const left = undo.querySelector('small');
    if (seconds <= 0) undo.replaceChildren('Time is up.');
    else if (left)
      left.textContent = seconds > 90 ? `${Math.ceil(seconds / 60)} min left` : `${seconds} s left`;
    if (seconds <= 0) delete undo.dataset.until;
  }
}
countDown();
setInterval(countDown, 500);
document.addEventListener('htmx:after:swap', countDown);
