/**
 * Edits the cells of a draft's sheet where they stand. Without this script, all but those with a problem are edited on the page of their row.
 *
 *     1. holds a cell: by a click, or by the arrow keys
 *     2. edits it: by typing, Enter, F2, a second click or a tap; Tab goes on, Enter saves all that was typed, Escape drops it
 *     3. pastes a block into the cells from there on
 *     4. fills: Ctrl+D writes the cell into the ticked rows, or the one above into it; Ctrl+Z undoes the last change
 */
/** Most rows, cells and bytes of one paste; the server takes no more cells, and little more bytes, at once. */
const mostRows = 500;
const mostCells = 2000;
const mostBytes = 3 * 1024 * 1024;
const moves = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** Name of the field of the cell that is held, and what to say when the page is shown again: none unless it was saved here. */
let held;
let told;
/** Name of that of the cell that was clicked last: Enter holds another, and a click there only holds it. */
let clicked;

const form = () => document.getElementById('draft');
const head = (cell) => cell.closest('table').tHead.rows[0].cells[cell.cellIndex];
const nameOf = (cell) => `c.${cell.parentElement.dataset.row}.${head(cell).dataset.at}`;
const textOf = (cell) => cell.dataset.text ?? cell.textContent;
const fieldOf = (cell) => cell.querySelector('textarea, [name^="c."]');
/** One with a problem has its field already. */
const isOpen = (cell) => cell.matches('.edit');
const cellOf = (target) => {
  const cell = target instanceof Element && target.closest('[data-edit] tbody td:not(.edit)');
  return cell && head(cell).dataset.at !== undefined ? cell : undefined;
};
const fields = () => [...document.querySelectorAll('[data-edit] td:not(.edit) > textarea')];
const isTyped = () => fields().length > 0;
const rowsFrom = (cell) => [...cell.closest('tbody').rows].filter(({ dataset }) => dataset.row !== undefined);
const beside = (cell, down, right) => {
  const rows = rowsFrom(cell);
  const next = rows[rows.indexOf(cell.parentElement) + down]?.cells[cell.cellIndex + right];
  return next && isOpen(next) ? next : cellOf(next);
};

// 1.
function hold(cell) {
  if (!cell) return;
  if (!isOpen(cell)) {
    for (const each of document.querySelectorAll('[data-edit] td[tabindex]'))
      each.removeAttribute('tabindex');
    cell.tabIndex = 0;
  }
  held = nameOf(cell);
  (isOpen(cell) ? fieldOf(cell) : cell)?.focus();
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Lets one cell be reached by Tab: the one that was held last. */
function ready() {
  const table = document.querySelector('[data-edit]');
  if (!table) return;
  table.setAttribute('role', 'grid');
  const find = (name = '') => {
    const [, row, at] = name.split('.');
    const column = [...table.tHead.rows[0].cells].findIndex((each) => each.dataset.at === at);
    return table.querySelector(`tr[data-row="${row}"]`)?.cells[column];
  };
  const again = find(held);
  if (again && told !== undefined) hold(again);
  else [again, ...table.querySelectorAll('tbody td')].find(cellOf)?.setAttribute('tabindex', '0');
  if (told) document.querySelector('#main > .notice span')?.append(` ${told}`);
  told = undefined;
  const [active, ...others] = typedSince.splice(0);
  for (const { name, value } of active ? [...others, active] : []) {
    const field = find(name) && edit(find(name), value);
    if (field) field.value = value;
  }
  if (active && !active.isActive && again) hold(again);
  if (isAgain) save();
}

// What is typed while a save is under way stays typed, and an Enter meanwhile saves once more.
let sent = new Map();
let isAgain = false;
let isSaving = false;
const typedSince = [];
document.addEventListener('draft:sent', () => {
  isSaving = true;
  sent = new Map(fields().map(({ name, value }) => [name, value]));
});
document.addEventListener('draft:answered', () => {
  for (const field of fields()) {
    const isActive = field === document.activeElement;
    const { name, value } = field;
    if (isActive || sent?.get(name) !== value)
      typedSince[isActive ? 'unshift' : 'push']({ name, value, isActive });
  }
});

// 2.
const restored = new WeakMap();

/** @param text in place of the cell's own. */
function edit(cell, text = textOf(cell)) {
  const open = fieldOf(cell);
  if ('long' in cell.dataset || open) {
    open?.focus();
    return open;
  }
  const field = document.createElement('textarea');
  Object.assign(field, {
    name: nameOf(cell),
    value: text,
    rows: Math.min(8, text.split('\n').length),
    dir: 'auto',
  });
  const line = cell.parentElement.querySelector('th').textContent.trim();
  field.ariaLabel = `${head(cell).textContent.trim()}, line ${line}`;
  restored.set(cell, [...cell.childNodes]);
  cell.replaceChildren(field);
  field.focus();
  return field;
}

function drop(cell) {
  const before = restored.get(cell) ?? [document.createTextNode(textOf(cell))];
  restored.delete(cell);
  cell.replaceChildren(...before);
}

/** Sends all that was typed on the page. */
function save(saying = '') {
  isAgain = told !== undefined;
  if (isAgain) return;
  sent = undefined;
  told = saying;
  form().requestSubmit(form().querySelector('button'));
  // Held back, because Redis does not answer.
  if (sent === undefined) told = undefined;
}

function keyInField(event, cell, field) {
  const { key, shiftKey, altKey } = event;
  const isEnter = key === 'Enter' && !shiftKey && !altKey;
  if (!isEnter && key !== 'Tab' && key !== 'Escape') return;
  event.preventDefault();
  event.stopPropagation();
  if (key === 'Escape') field.value = textOf(cell);
  const next = key === 'Escape' ? cell : isEnter ? beside(cell, 1, 0) : beside(cell, 0, shiftKey ? -1 : 1);
  hold(next ?? cell);
  if (isEnter && isTyped()) save();
}

// A link, unlike every button, takes nothing along of what is typed: the browser asks first.
window.addEventListener('beforeunload', (event) => {
  const isUnsaved = fields().some((field) => {
    const cell = cellOf(field);
    const before = cell && restored.has(cell) ? textOf(cell) : field.defaultValue;
    return field.value !== before && sent?.get(field.name) !== field.value;
  });
  if (isUnsaved) event.preventDefault();
});

// One that was not changed is none.
document.addEventListener('focusout', ({ target }) => {
  const cell = target instanceof HTMLTextAreaElement && cellOf(target);
  if (cell && target.value === textOf(cell)) drop(cell);
});

document.addEventListener('keydown', (event) => {
  const cell = cellOf(event.target);
  if (!cell || event.isComposing) return;
  const field = fieldOf(cell);
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (field === event.target) {
    keyInField(event, cell, field);
    return;
  }
  if (event.target !== cell || altKey) return;
  const isCommand = ctrlKey || metaKey;
  const take = (act) => {
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  if (isCommand && key === 'd') take(() => fill(cell));
  else if (isCommand && key === 'z')
    take(() => document.querySelector('.menu [action$="/undo"] button')?.click());
  else if (isCommand) return;
  else if (moves[key]) take(() => hold(beside(cell, ...moves[key])));
  else if (key === 'Tab' && isTyped() && beside(cell, 0, shiftKey ? -1 : 1))
    take(() => hold(beside(cell, 0, shiftKey ? -1 : 1)));
  else if (key === 'Enter' || key === 'F2') take(() => edit(cell));
  else if (key === 'Delete' || key === 'Backspace') take(() => edit(cell, ''));
  // The key itself is typed into the field.
  else if (key.length === 1 && key !== ' ') edit(cell, '');
});

document.addEventListener('click', ({ target, pointerType }) => {
  const cell = cellOf(target);
  if (!cell || target.closest('a, button, textarea')) return;
  const isSecond = nameOf(cell) === held && held === clicked;
  clicked = nameOf(cell);
  if (isSecond || pointerType === 'touch') edit(cell);
  else hold(cell);
});

// 3.
/** The cells of a block, as spreadsheet programs copy it: texts that have TAB or line feed stand in quotes. */
function block(text) {
  const rows = [[]];
  const all = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '');
  for (const [, quoted, plain, end] of all.matchAll(
    /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/g,
  )) {
    const isQuoted = /[\t\n"]/.test(quoted ?? '');
    rows.at(-1).push(plain ?? (isQuoted ? quoted.replaceAll('""', '"') : `"${quoted}"`));
    if (end === '') break;
    if (end === '\n') rows.push([]);
  }
  return rows;
}

document.addEventListener('copy', (event) => {
  const cell = cellOf(document.activeElement);
  if (cell !== document.activeElement || !getSelection()?.isCollapsed) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', textOf(cell));
});

document.addEventListener('paste', (event) => {
  const { activeElement } = document;
  const cell = cellOf(activeElement);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!cell || text === '' || (activeElement !== cell && !text.includes('\t'))) return;
  event.preventDefault();
  const rows = block(text);
  const columns = [...head(cell).parentElement.cells].slice(cell.cellIndex).map((each) => each.dataset.at);
  const wide = Math.min(columns.length, Math.max(...rows.map((row) => row.length)));
  const taken = atOnce(rows.map((row) => row.slice(0, wide)));
  const first = Number(cell.parentElement.dataset.row);
  // Rows of a search, or with warnings, do not follow on each other.
  const isWhole = form().elements.rows.value === 'all' && form().elements.q === undefined;
  const table = cell.closest('table');
  const all = rowsFrom(cell);
  const shown = all.slice(all.indexOf(cell.parentElement));
  const numbers = taken
    .map((_row, down) => Number(shown[down]?.dataset.row ?? (isWhole ? first + down : Number.NaN)))
    .filter((number) => number <= Number(table.dataset.rows));
  for (const [down, number] of numbers.entries())
    for (const [right, value] of taken[down].entries()) write(`c.${number}.${columns[right]}`, value);
  hold(cell);
  const { length } = numbers;
  const others = length < taken.length ? 'there are no more rows here' : 'paste the others below them';
  save(length < rows.length ? `Pasted ${length} of ${rows.length} rows: ${others}.` : '');
});

/** The first rows of a block: as many as one save takes. */
function atOnce(rows) {
  let cells = 0;
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    cells += row.length;
    bytes += new URLSearchParams(row.map((text) => ['c.100000.10', text])).toString().length;
    return index > 0 && (index >= mostRows || cells > mostCells || bytes > mostBytes);
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** A text that is sent along. */
function write(name, value) {
  for (const same of document.querySelectorAll(`[data-edit] [name="${name}"]`)) {
    if (isOpen(same.closest('td'))) {
      same.value = value;
      return;
    }
    drop(same.closest('td'));
  }
  const field = Object.assign(document.createElement('textarea'), { name, value, hidden: true });
  form().append(field);
}

// 4.
function fill(cell) {
  const ticked = [...document.querySelectorAll('[data-edit] .chosen:checked')].map(({ value }) => value);
  const from = ticked.length > 0 ? cell : beside(cell, -1, 0);
  if (!from) return;
  const { at } = head(cell).dataset;
  const text = fieldOf(from)?.value ?? textOf(from);
  for (const row of ticked.length > 0 ? ticked : [cell.parentElement.dataset.row])
    write(`c.${row}.${at}`, text);
  save();
}

document.addEventListener('draft:shown', () => {
  isSaving = false;
  ready();
});
// A check has ended, and the page of its result has come.
document.addEventListener('htmx:after:swap', () => {
  if (!isSaving && document.querySelector('[data-edit]:not([role])')) ready();
});
ready();
