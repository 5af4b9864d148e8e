/** Changes a draft in place: the page stays where it is, and the next problem gets the focus; F8 leads to the next problem. */
import { ask, parsed, questionOf, textOf } from './asks.js';
import { asker, main, question, unreached } from './page.js';

/** What may help with a problem, the likeliest first. */
const fixes = [
  // Enter might be pressed by chance, and a post would lose its time.
  'button[name=use]:not([value^=at-once])',
  '.offered > a.button:not([hx-get])',
  'input:not([type=checkbox]), textarea',
  'input, select, a, button',
];
const problems = () => [...document.querySelectorAll('.grid :is(.edit, .more)')];
let isSaving = false;

/** Gives the focus to the first fix of a problem. */
function goTo(problem) {
  const fix = fixes.map((each) => problem?.querySelector(each)).find(Boolean);
  fix?.focus();
  // What is typed takes the place of the wrong text.
  if (fix instanceof HTMLInputElement) fix.select();
  fix?.scrollIntoView({ block: 'nearest' });
  return fix !== undefined;
}

/** Where to go on without problems of rows: to the columns that are open, and then to the start. */
const further = '[aria-labelledby=columns] :is([name=take], [aria-invalid=true]), #draft-dock button.primary';

function fixNext() {
  const all = problems();
  if (all.length === 0) {
    const next = document.querySelector(further);
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    return next !== null;
  }
  const at = all.indexOf(document.activeElement?.closest('.edit, .more'));
  return goTo(all[(at + 1) % all.length]);
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'F8' && !question?.open && fixNext()) event.preventDefault();
  const isText = event.target instanceof HTMLTextAreaElement && event.target.form?.id === 'draft';
  if (!isText || event.key !== 'Enter') return;
  // In a cell of the grid, as in spreadsheets: with Shift or Alt it begins a line.
  const isOfCell = event.target.closest('.grid') !== null && !event.shiftKey && !event.altKey;
  if (!isOfCell && !event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  event.target.form.requestSubmit(event.target.form.querySelector('button'));
});
document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('#fix-next') && fixNext())
    event.preventDefault();
});

// The button of all columns takes along what is chosen for the times.
document.addEventListener('change', ({ target }) => {
  const said = target.id === 'zone' && document.querySelector('[data-takes-zone]');
  if (said) said.textContent = `, with times in ${target.value}`;
});

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  const isOfDraft =
    form.id === 'draft' ? submitter?.hasAttribute('formaction') : form.dataset?.along === 'draft';
  if (event.defaultPrevented || !isOfDraft || form.dataset.plain) return;
  event.preventDefault();
  if (!isSaving) void save(form, submitter);
});

/** Sends a form of a draft's page, and puts the page that answers in the place of this one. */
async function save(form, submitter) {
  isSaving = true;
  // `sheet.js` follows: what is typed from now on is not lost.
  const follow = (what) => document.dispatchEvent(new Event(`draft:${what}`));
  follow('sent');
  const isAsked = question?.contains(form);
  // Enter presses a hidden button. Not every browser gives the focus to what is clicked.
  const used = submitter?.ariaHidden ? document.activeElement : submitter;
  const place = placeOf(isAsked ? asker : used);
  const then = submitter?.dataset.then;
  const body = new URLSearchParams(new FormData(form, submitter));
  if (then) body.delete(submitter.name);
  const path = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action;
  const answer = await fetch(path, { method: 'POST', body }).catch(() => undefined);
  // The connection may also end within the page.
  const page = await answer?.text().catch(() => undefined);
  isSaving = false;
  if (page === undefined) {
    unreached();
    follow('shown');
    return;
  }
  const answered = parsed(page);
  const asked = questionOf(answered);
  // Below a question stands the page with what was saved before it.
  const next = asked ? parsed((await textOf(location.href)) ?? '') : answered;
  if (next.querySelector('#draft, #draft-progress')) {
    follow('answered');
    const isRefused = show(next);
    if (then && !isRefused) window.htmx.ajax('GET', then, { target: question, swap: 'innerHTML' });
    else {
      if (isAsked) question.close();
      restore(place, isRefused);
    }
    if (asked) ask(asked);
    follow('shown');
  } else if (answer.redirected) location.assign(answer.url);
  else {
    // The browser shows what it is: an outage, a form that is too old.
    form.dataset.plain = 'yes';
    form.requestSubmit(submitter);
  }
}

/** Where a person is: the problem, its number on the page, and the field or button. */
function placeOf(element) {
  const problem = element?.closest('.edit, .more');
  // Each of these buttons writes something else.
  const its = element?.matches('button[name=use]') ? `[value="${CSS.escape(element.value)}"]` : '';
  const same = ['id', 'name', 'formaction', 'href'].flatMap((attribute) => {
    const value = element?.getAttribute(attribute);
    return value ? [`[${attribute}="${CSS.escape(value)}"]${its}`] : [];
  });
  const top = problem?.getBoundingClientRect().top;
  return { problem: problem?.id, at: problems().indexOf(problem), top, same };
}

/** @returns whether the change was refused. */
function show(next) {
  const left = document.querySelector('.scroller:has(.sheet)')?.scrollLeft ?? 0;
  const open = [...main().querySelectorAll('details[open]:not(.menu) > summary')].map(
    (each) => each.textContent,
  );
  const { scrollY } = window;
  document.title = next.title;
  // With its stream: what the one before has sent, or still sends, is of the page before.
  main().replaceWith(document.adoptNode(next.getElementById('main')));
  window.htmx.process(main());
  for (const summary of main().querySelectorAll('summary'))
    if (open.includes(summary.textContent)) summary.parentElement.open = true;
  const notice = main().querySelector(':scope > .notice:not(.toast)');
  notice?.classList.add('passing');
  const scroller = document.querySelector('.scroller:has(.sheet)');
  if (scroller) scroller.scrollLeft = left;
  window.scrollTo({ top: scrollY, behavior: 'instant' });
  document.dispatchEvent(new Event('htmx:after:swap'));
  return notice?.dataset.state === 'failed';
}

/** Gives the focus to what had it; if that is done, to the next problem. Where no problem had it, a key must do nothing: its heading. */
function restore({ problem, at, top, same }, isRefused) {
  const again = same.map((each) => main().querySelector(each)).find(Boolean);
  if (again && (isRefused || at < 0)) {
    const menu = again.closest('.menu');
    (menu?.querySelector('summary') ?? again).focus({ preventScroll: true });
    return;
  }
  const all = problems();
  const next = document.getElementById(problem) ?? all[Math.min(at, all.length - 1)];
  // Problems of fewer rows move down: the page goes with them.
  if (next && top !== undefined)
    window.scrollBy({ top: next.getBoundingClientRect().top - top, behavior: 'instant' });
  if (goTo(next)) return;
  const title = document.getElementById('problems');
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
}
