/** Problems of the sheet as a whole: of its columns, and those that keep all of its rows from being checked. */
import { mayDo } from '../../../../app/access/roles.ts';
import { asSentence, capitalized, plural, sentence, thousands } from '../../../../manifest/wording.ts';
import { fixOnDraft } from '../../../hints.ts';
import { type Html, html, words } from '../../../html.ts';
import { placeName } from '../../../parts/sheets.ts';
import { icon } from '../../../parts/state.ts';
import { aboutColumns, action, type ShownDraft } from './draft-view.ts';
import { readAnew } from './reading.ts';

/** Most problems of the sheet as a whole that are listed. */
const mostBlocking = 20;
/** Notices of why no header is known. */
const ofShape: ReadonlySet<string> = new Set(['title_as_headers', 'posts_in_columns', 'days_in_columns']);

/** Problems of the sheet as a whole. Those that the table of the columns solves are one. */
export function sheetProblems(shown: ShownDraft): Html | string {
  const { checked, request } = shown;
  if (checked.blocking.length === 0) return '';
  const others = checked.blocking.filter(({ code }) => !aboutColumns.has(code));
  const title = checked.notices.find(({ code }) => ofShape.has(code));
  const point = (problem: string, fix: Html) =>
    html`<li data-state="failed">${icon('failed')}<div><b>${words(sentence(problem))}</b><p class="note actions">${fix}</p></div></li>`;
  return html`<ul class="points">${
    others.length === checked.blocking.length
      ? ''
      : point(
          capitalized(columnsAtFault(checked)),
          html`${title && words(`${asSentence(title.problem)} ${fixOnDraft(title.fix)} `)}Say below what each column is. ${checked.blocking.some(({ code }) => code === 'missing_column') && html`<a href="#lacked">Add what is missing</a>`}`,
        )
  }${others
    .slice(0, mostBlocking)
    .map(({ code, problem, fix, ...place }) =>
      code === 'results_sheet' && mayDo(request, 'edit')
        ? point(
            problem,
            html`<button ${action(shown, '/files/done')}>See what it would change in its campaign</button>`,
          )
        : point(
            `${placeName(place)}: ${problem}`,
            html`${words(sentence(fixOnDraft(fix)))} ${readAnew(shown, fix)}`,
          ),
    )}</ul>`;
}

/** `2 columns are not clear: Wer, Was; missing: creator, media`. */
function columnsAtFault({ blocking: all }: ShownDraft['checked']): string {
  const missing = all.filter(({ code }) => code === 'missing_column');
  const open = all.filter(({ code }) => aboutColumns.has(code) && code !== 'missing_column');
  const list = (of: typeof all) => {
    const names = of.map(({ column }) => column ?? '');
    const more = names.length - namesShown;
    return `${names.slice(0, namesShown).join(', ')}${more > 0 ? ` and ${thousands(more)} more` : ''}`;
  };
  return [
    ...(open.length > 0
      ? [`${plural(open.length, 'column')} ${open.length === 1 ? 'is' : 'are'} not clear: ${list(open)}`]
      : []),
    ...(missing.length > 0 ? [`missing: ${list(missing)}`] : []),
  ].join('; ');
}

const namesShown = 8;
