/**
 * Enhances plain pages. Without this script everything still works, by reloading.
 *
 *     1. tells the server the time zone of this browser, and loads the first page again in it
 *     2. shows a question in a dialog instead of on a page of its own, and sends the fields of the page along with its form
 *     3. selects all rows of a page
 *     4. updates live parts, but none that is in use: focused, selected, in an open menu or dialog, in a form that was touched. Such a part
 *        follows when it is free. Menus close on Escape and on a click elsewhere
 *     5. shows in the footer whether the page is live
 *     6. offers the time zone of this browser if nobody has chosen one
 *     7. selects "Posted" or "Generated" when its id is typed
 *     8. holds forms back while Redis does not answer: what was typed stays on the page
 *     9. prints a page that is made for paper
 *    10. counts down until a choice can be made, and enables it; and until something can no longer be undone, and takes its button away
 *    11. fills the form of a row with what was picked from a list
 *    12. selects by a single key what names one, such as a choice in a review; changes nothing by itself
 *    13. changes a draft in place: the page stays where it is, and the next problem gets the focus; F8 leads to the next problem
 *    14. loads what shows the figures of a plot when somebody points at one
 *    15. loads what shows and plays videos, if there are any, after everything else
 *    16. takes a card of the calendar that is dragged to another day for its *Move…*; a filter of the calendar takes effect at once
 */
(() => {
  const lostAfterMs = 5000;
  const againAfterMs = 2000;
  const clock = document.getElementById('clock');
  const question = document.getElementById('question');
  const touched = new WeakSet();
  /** Uploads replace it. */
  const main = () => document.getElementById('main');
  /** What had the focus when the question was asked. */
  let asker;

  // 1.
  if (!/(?:^|; )zone=/.test(document.cookie)) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const path = document.documentElement.dataset.base || '/';
    if (zone)
      document.cookie = `zone=${encodeURIComponent(zone)}; path=${path}; max-age=31536000; samesite=lax`;
    const { zone: shown, zoneOpen } = document.documentElement.dataset;
    // Only the answer to a link, and only if the cookie was taken: a page that a form answered with would be lost, or load for ever.
    const isLoadable = zoneOpen !== undefined && shown !== zone && !document.querySelector('.notice');
    if (isLoadable && /(?:^|; )zone=/.test(document.cookie)) location.replace(location.href);
  }

  // 2.
  document.addEventListener('htmx:after:swap', () => {
    document.getElementById('unreached')?.remove();
    if (!question?.childElementCount || question.open) return;
    asker = document.activeElement;
    question.showModal();
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

  // 3.
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches('[name=page], [data-all]')) return;
    for (const box of target.form?.querySelectorAll('.chosen') ?? []) box.checked = target.checked;
  });

  // 4.
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element) touched.add(target.closest('form') ?? target);
  });

  /** The newest state of parts that were in use when it came, by id. */
  const awaited = new Map();

  function isUnderHand(part) {
    if (question?.open || part.contains(document.activeElement)) return true;
    const selection = getSelection();
    if (selection && !selection.isCollapsed && selection.containsNode(part, true)) return true;
    if (part.querySelector('details[open]')) return true;
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

  // 5.
  let lost;
  /** The stream has ended for good: no further attempt. */
  let isOver = false;
  let lastAt = new Date();

  function timeOf(date) {
    return date.toLocaleTimeString('en-GB', { timeZone: document.documentElement.dataset.zone });
  }

  function live() {
    clearTimeout(lost);
    lost = undefined;
    lastAt = new Date();
    if (clock) clock.textContent = `As of ${timeOf(lastAt)}, live.`;
    for (const notice of document.querySelectorAll('#not-live, #away, [data-held]')) notice.remove();
    catchUp();
  }

  function notLive() {
    if (isOver || lost !== undefined || document.hidden) return;
    const since = timeOf(lastAt);
    lost = setTimeout(() => {
      if (clock) clock.textContent = `Not live since ${since}.`;
      tell('not-live', `Not live since ${since}: the connection is gone.`, 'The page retries automatically.');
    }, lostAfterMs);
  }

  /** Shows a notice at the head of the page, once. */
  function tell(id, what, more) {
    if (document.getElementById(id)) return;
    const notice = document.createElement('div');
    Object.assign(notice, { id, className: 'notice', role: 'status' });
    notice.dataset.state = 'warning';
    const lead = document.createElement('b');
    lead.textContent = what;
    const rest = document.createElement('small');
    rest.textContent = more;
    const words = document.createElement('span');
    words.append(lead, ' ', rest);
    const line = document.createElement('p');
    line.innerHTML =
      '<svg class="icon" width="16" height="16" aria-hidden="true"><use href="#i-warning"/></svg>';
    line.append(words);
    notice.append(line);
    main()?.prepend(notice);
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
    if (clock) clock.textContent = `Not live since ${timeOf(lastAt)}.`;
    tell('over', what, more);
  }

  document.addEventListener('gone', () => over('This was deleted.', 'The page shows it as it was.'));
  document.addEventListener('htmx:sse:error', ({ detail }) => missed(detail.status));
  document.addEventListener('htmx:sse:close', notLive);
  document.addEventListener('htmx:sse:before:connection', ({ detail }) => {
    if (isOver) detail.connection.cancelled = true;
  });

  /** A form or question got no answer. */
  function unreached(response) {
    if (response) return;
    tell('unreached', 'The console does not answer.', 'What you typed is still here. Try again in a moment.');
    document.getElementById('unreached')?.scrollIntoView();
  }

  // htmx reconnects only a stream that had opened.
  function begin() {
    window.htmx.ajax('GET', main().getAttribute('hx-sse:connect'), { source: main() });
  }
  for (const name of ['htmx:response:error', 'htmx:error']) {
    document.addEventListener(name, ({ target, detail }) => {
      if (target !== main()) unreached(detail.ctx?.response);
      else if (missed(detail.ctx?.response?.status)) setTimeout(begin, againAfterMs);
    });
  }

  // 6.
  function offerZone() {
    const select = document.querySelector('select[data-browser-zone]');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (![...(select?.options ?? [])].some(({ value }) => value === zone)) return;
    select.value = zone;
    // Offered, not chosen: other buttons of the page do not save it.
    const offered = select.form?.elements['zone-offered'];
    if (offered) offered.value = zone;
  }
  offerZone();
  document.addEventListener('htmx:after:swap', offerZone);

  // 8.
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
    held.className = 'note';
    held.dataset.held = '';
    held.setAttribute('role', 'status');
    form.append(held);
    return held;
  }

  // 9.
  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }

  // 10.
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

  // 7.
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type === 'radio' || target.value.trim() === '')
      return;
    const radio = target.closest('div.choice')?.querySelector('input[type=radio]');
    if (radio) radio.checked = true;
  });

  // 11.
  /** Puts what was picked from a list into the fields of the page. */
  function fill(form) {
    for (const [name, value] of new FormData(form)) {
      const field = main().querySelector(`.fields [name="${CSS.escape(name)}"]`);
      if (!field) continue;
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const hiding = field.closest('details');
      if (hiding && value) hiding.open = true;
    }
    question.close();
  }

  document.addEventListener('submit', (event) => {
    if (event.defaultPrevented || !('fill' in event.target.dataset)) return;
    event.preventDefault();
    fill(event.target);
  });

  // 12.
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || question?.open || !/^\w$/.test(key)) return;
    if (target.closest('select, textarea, input:not([type=radio], [type=checkbox])')) return;
    const named = document.querySelector(`[data-key="${key.toLowerCase()}"]:not(:disabled)`);
    if (named instanceof HTMLInputElement) named.focus();
    named?.click();
  });

  // 13.
  /** What may help with a problem, the likeliest first. */
  const cures = [
    'button[name=use]',
    '.offered > a.button:not([hx-get])',
    'input:not([type=checkbox]), textarea',
    'input, select, a, button',
  ];
  const problems = () => [...document.querySelectorAll('.grid :is(.edit, .more)')];
  let isSaving = false;

  /** Gives the focus to the first cure of a problem. */
  function goTo(problem) {
    const cure = cures.map((each) => problem?.querySelector(each)).find(Boolean);
    cure?.focus();
    cure?.scrollIntoView({ block: 'nearest' });
    return cure !== undefined;
  }

  /** Where to go on without problems of rows: to the columns that are open, and then to the start. */
  const further = '#columns :is([name=take], [aria-invalid=true]), #draft-dock button.primary';

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
    if (!isText || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.target.form.requestSubmit(event.target.form.querySelector('button'));
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('#fix-next') && fixNext())
      event.preventDefault();
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
    isSaving = false;
    if (!answer) {
      unreached();
      follow('shown');
      return;
    }
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (next.getElementById('draft')) {
      follow('answered');
      const isRefused = show(next);
      if (then && !isRefused) window.htmx.ajax('GET', then, { target: question, swap: 'innerHTML' });
      else {
        if (isAsked) question.close();
        restore(place, isRefused);
      }
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
    const same = ['id', 'name', 'formaction', 'href'].flatMap((attribute) => {
      const value = element?.getAttribute(attribute);
      return value ? [`[${attribute}="${CSS.escape(value)}"]`] : [];
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
    main().replaceChildren(...next.getElementById('main').childNodes);
    for (const part of main().children) window.htmx.process(part);
    for (const summary of main().querySelectorAll('summary'))
      if (open.includes(summary.textContent)) summary.parentElement.open = true;
    const notice = main().querySelector(':scope > .notice');
    notice?.classList.add('passing');
    const scroller = document.querySelector('.scroller:has(.sheet)');
    if (scroller) scroller.scrollLeft = left;
    window.scrollTo({ top: scrollY, behavior: 'instant' });
    offerZone();
    return notice?.dataset.state === 'failed';
  }

  /** Gives the focus to what had it; if that is done, to the next problem. */
  function restore({ problem, at, top, same }, isRefused) {
    const again = same.map((each) => main().querySelector(each)).find(Boolean);
    if (again && (isRefused || at < 0)) {
      const menu = again.closest('.menu');
      (menu?.querySelector('summary') ?? again).focus({ preventScroll: true });
      return;
    }
    const all = problems();
    const next = document.getElementById(problem) ?? all[Math.min(Math.max(at, 0), all.length - 1)];
    // Problems of fewer rows move down: the page goes with them.
    if (next && top !== undefined)
      window.scrollBy({ top: next.getBoundingClientRect().top - top, behavior: 'instant' });
    if (goTo(next)) return;
    const title = document.getElementById('problems');
    title?.setAttribute('tabindex', '-1');
    title?.focus({ preventScroll: true });
  }

  // 14.
  function loadPlots(event) {
    const files =
      event.target instanceof Element && event.target.closest('figure.plot') && main().dataset.plots;
    if (!files) return;
    document.removeEventListener('pointerover', loadPlots);
    const [style, ...scripts] = files.split(' ');
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style });
    // In this order: a plot measures itself by the stylesheet, and is drawn by the last script.
    sheet.addEventListener('load', () =>
      document.head.append(
        ...scripts.map((src) => Object.assign(document.createElement('script'), { src, async: false })),
      ),
    );
    document.head.append(sheet);
  }
  document.addEventListener('pointerover', loadPlots);

  // 15.
  function loadPictures() {
    const src = main()?.dataset.pictures;
    const isNeeded = src && document.querySelector('video[data-src]');
    if (!isNeeded || document.querySelector(`script[src="${src}"]`)) return;
    document.head.append(Object.assign(document.createElement('script'), { src }));
  }
  window.addEventListener('load', loadPictures);
  document.addEventListener('htmx:after:swap', loadPictures);

  // 16.
  /** The card that is dragged. One that was sent has no form. */
  let dragged;
  const dayOf = (target) => target instanceof Element && target.closest('.week .day');
  const markDay = (day) => {
    for (const each of document.querySelectorAll('.day.over')) each.classList.remove('over');
    if (day) day.classList.add('over');
  };
  document.addEventListener('dragstart', ({ target, dataTransfer }) => {
    const card = target instanceof Element && target.closest('.slot');
    dragged = card?.querySelector('.move form') ? card : undefined;
    // It says why.
    if (card && !dragged) card.querySelector('.move').open = true;
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
    const form = dragged.querySelector('.move form');
    const field = form.elements['c.scheduled_at'];
    const by = Date.parse(day.dataset.date) - Date.parse(dayOf(dragged).dataset.date);
    const date = new Date(Date.parse(field.value.slice(0, 10)) + by).toISOString().slice(0, 10);
    field.value = `${date}${field.value.slice(10)}`;
    form.requestSubmit();
    form.reset();
  });
})();
