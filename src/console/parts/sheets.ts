/** Sheets on pages: their encoding, their problems, and the progress of reading one. */
import type { Problem } from '../../manifest/problems/problem.ts';
import { sentence } from '../../runtime/wording.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { wrongEncodingCode } from '../../sheets/text/gate.ts';
import { cureOnPage } from '../hints.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { n, section, table } from './blocks.ts';
import { count, number } from './numbers.ts';

interface Reading {
  /** Id of the element. */
  readonly id: string;
  /** What happens to the sheet, such as `is being checked`. */
  readonly doing: string;
  /** Name of the sheet. */
  readonly sheet: string;
  /** Rows so far, if known. */
  readonly rows: number | undefined;
  /** Path of the page that comes next. */
  readonly path: string;
}

/** A live part: replaced while the sheet is read. */
export function reading({ link }: PageRequest, { id, doing, sheet, rows, path }: Reading): Html {
  return html`<div id="${id}" role="status"><p><b>${words(sheet)} ${doing}.</b> ${rows === undefined ? '' : `${count(rows, 'row')} so far.`}</p><p class="note"><a href="${link(path)}">Look again</a></p></div>`;
}

/** Replaces `reading`, and loads the page. @param what has ended, such as `The check`. */
export function readingEnded(
  { link }: PageRequest,
  { id, path, what }: Pick<Reading, 'id' | 'path'> & { readonly what: string },
): Html {
  return html`<div id="${id}" hx-get="${link(path)}" hx-trigger="load" hx-target="#main" hx-select="#main" hx-swap="outerHTML"><p>${what} has ended. <a href="${link(path)}">Look at it</a></p></div>`;
}

export function encodingChoice(chosen: Encoding | undefined): Html {
  const option = (value: string, label: string, isChosen: boolean) =>
    html`<option value="${value}"${isChosen ? html` selected` : ''}>${label}</option>`;
  return html`<label>Encoding <select name="encoding">${option('', 'as found', chosen === undefined)}${encodings.map((name) => option(name, name, name === chosen))}</select></label>`;
}

/** The encoding that a person has chosen, from the form or the address. */
export function chosenEncoding({ form, query }: Pick<PageRequest, 'form' | 'query'>): Encoding | undefined {
  return parseEncoding(form.get('encoding') ?? query.get('encoding') ?? '');
}

/** Whether the text is not in the encoding that it was read in. */
export function isEncodingWrong(problems: readonly Pick<Problem, 'code'>[]): boolean {
  return problems.some(({ code }) => wrongEncodings.has(code));
}

const wrongEncodings: ReadonlySet<string> = new Set(encodings.map(wrongEncodingCode));

const problemsShown = 50;

/** @param kept the first ones. @param total how many there are. */
export function problemsTable(
  kept: readonly Problem[],
  total: number,
  note = 'Fix them in the sheet, and upload it again.',
): Html {
  const shown = kept.slice(0, problemsShown);
  const left = total - shown.length;
  const lines = shown.map(
    ({ line, key, column, value, problem, cure }) =>
      html`<tr><td class="n">${number(line)}</td><th scope="row"><code>${key ?? ''}</code></th><td>${words(column ?? '')}</td><td>${words(value)}</td><td>${words(sentence(problem))} ${words(sentence(cureOnPage(cure)))}</td></tr>`,
  );
  return section(
    {
      id: 'problems',
      title: count(total, 'problem'),
      note,
    },
    html`${table({ of: 'problems', heads: [n('Line'), 'Row', 'Column', 'Value', 'Problem and what to do'], lines })}
    ${left > 0 && html`<p class="note">${number(left)} more.</p>`}`,
  );
}
