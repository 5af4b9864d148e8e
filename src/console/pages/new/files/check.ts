/** How far the check is while files still arrive. */
import { html } from 'hono/html';
import type { FilesProgress } from '../../../../drafts/files/progress.ts';
import type { CheckedDraft, DraftView } from '../../../../drafts/view.ts';
import { capitalized, sentence } from '../../../../runtime/wording.ts';
import type { Html } from '../../../html.ts';
import { words } from '../../../parts/language.ts';
import { count } from '../../../parts/numbers/numbers.ts';
import { point } from '../../../parts/points.ts';

/** Empty while there is no sheet. */
export function checkPoint(
  { state, checked, rowsRead, failure }: DraftView,
  { media }: FilesProgress,
): Html | string {
  if (state === 'empty') return '';
  const isComing = media.files < media.ofFiles;
  if (checked === undefined) {
    return failure === undefined
      ? point({ state: 'running', what: said(`${count(rowsRead ?? 0, 'row')} read so far.`) })
      : point({ state: 'failed', what: said(capitalized(sentence(failure.message))) });
  }
  const read = `${count(checked.rows, 'row')} read`;
  if (isComing || rowsRead !== undefined || checked.isOutdated) {
    return point({ state: 'running', what: said(`${read}, media as they arrive. ${foundSoFar(checked)}`) });
  }
  const { refused, blocking } = checked;
  const isGood = refused + blocking.length === 0;
  const found =
    refused > 0 ? `${count(refused, 'row has', 'rows have')} problems` : 'The sheet has a problem';
  return point({
    state: isGood ? 'done' : 'warning',
    what: said(`${read}. ${isGood ? 'No row has a problem' : found}.`),
  });
}

/** Media that have not come yet are no mistake of the sheet. */
function foundSoFar({ groups, blocking }: CheckedDraft): string {
  const sum = (some: typeof groups) => some.reduce((rows, group) => rows + group.count, 0);
  const missing = sum(groups.filter(({ code }) => code === 'media_missing'));
  const others = sum(groups.filter(({ code }) => code !== 'media_missing')) + blocking.length;
  const problems = others === 0 ? 'No problem so far.' : `${count(others, 'problem')} so far.`;
  if (missing === 0) return problems;
  return `${count(missing, 'medium that it names has', 'media that it names have')} not come yet. ${problems}`;
}

function said(text: string): Html {
  return html`<b>Check</b><p>${words(text)}</p>`;
}
