/** Takes a card of the calendar that is dragged to another day for its *Move…*. */
/** The card that is dragged. One that was sent has no form. */
let dragged;
const dayOf = (target) => target instanceof Element && target.closest('.week .day');
const markDay = (day) => {
  for (const each of document.querySelectorAll('.day.over')) each.classList.remove('over');
  if (day) day.classList.add('over');
};
document.addEventListener('dragstart', ({ target, dataTransfer }) => {
  const card = target instanceof Element && target.closest('.slot');
  dragged = card?.querySelector('[popover] form') ? card : undefined;
  // It says why.
  if (card && !dragged) card.querySelector('.move')?.click();
  if (!dragged) return;
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setDragImage(card, 20, 20);
});
document.addEventListener('dragover', (event) => {
  const day = dragged && dayOf(event.target);
  const isOther = day && day !== dayOf(dragged);
  if (isOther) event.preventDefault();
  if (dragged) markDay(isOther && day);
});
document.addEventListener('dragend', () => {
  dragged = undefined;
  markDay();
});
document.addEventListener('drop', (event) => {
  const day = dragged && dayOf(event.target);
  if (!day || day === dayOf(dragged)) return;
  event.preventDefault();
  const form = dragged.querySelector('[popover] form');
  const field = form.elements['c.scheduled_at'];
  const by = Date.parse(day.dataset.date) - Date.parse(dayOf(dragged).dataset.date);
  const date = new Date(Date.parse(field.value.slice(0, 10)) + by).toISOString().slice(0, 10);
  field.value = `${date}${field.value.slice(10)}`;
  form.requestSubmit();
  form.reset();
});
