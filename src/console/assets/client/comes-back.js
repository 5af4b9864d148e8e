/** Reloads the page of a form that was refused during a Redis outage, once Redis answers; its fields keep what was typed. */
const againAfterMs = 3000;
const form = document.querySelector('form[data-typed]');
const note = document.createElement('p');
note.className = 'note';
note.setAttribute('role', 'status');
note.textContent = 'When Redis answers, the page returns automatically with your entries.';
form.querySelector('.actions')?.before(note);

async function look() {
  const { page, typed } = form.dataset;
  const answer = await fetch(page, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) {
    setTimeout(look, againAfterMs);
    return;
  }
  form.action = typed;
  form.submit();
}
setTimeout(look, againAfterMs);
