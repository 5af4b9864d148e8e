/** The head of a row's page: its caption as title, its state, and what can be done with it as a whole. */
import { mayDo } from '../../../app/access/roles.ts';
import type { ReadRow, ShownRow } from '../../../app/campaigns/rows/show-row.ts';
import type { SpanOfVideo } from '../../../app/videos/watch-list.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { writeLead } from '../../../manifest/campaign-options.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { shortened } from '../../../manifest/printable.ts';
import { thousands } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { form, hidden, questionLink } from '../../parts/form.ts';
import { rowPath } from '../../parts/list.ts';
import { moment } from '../../parts/numbers.ts';
import { type ShownPicture, thumbnail } from '../../parts/picture.ts';
import { wordOf } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';
import { fieldPrefix } from './form.ts';

export function titleOf({ key, place = key, state, delivery }: ShownRow): string {
  return `${place}, ${wordOf(delivery ?? state)}`;
}

/** Whose post it is, in which state, and the ways on. @param figures of its video, if that is known. @param picture shown where the post itself comes last. */
export function head(
  request: PageRequest,
  { campaign, row, line, worksheet, cells, caption, beside }: ReadRow,
  live: LiveParts,
  figures: SpanOfVideo | undefined,
  picture: ShownPicture | undefined,
): Html {
  const { link } = request;
  const { state, revision } = row;
  const creator = creatorIn(cells.find(({ column }) => column === 'creator')?.text ?? '');
  const kind = state === 'failed' || state === 'review' ? ` ${wordOf(state)}` : '';
  const to = (key: string | undefined, label: string) =>
    key === undefined ? '' : html`<a class="button" href="${link(rowPath(campaign.id, key))}">${label}</a>`;
  const again = revision === 0 ? '' : ` · revision ${revision + 1}`;
  return html`<div class="head">
    <div>
      ${thumbnail(request, picture, 'week')}
      <h1>${words(shortened(caption, longestTitle) || (row.place ?? row.key))} ${live['row-title']}</h1>
      <p class="about">${words(creator)} · ${worksheet !== undefined && `${worksheet}, `}line ${thousands(line)} of the sheet${again}${since(request, row)}</p>
    </div>
    <nav class="actions" aria-label="Rows">${row.readyUntil !== undefined && mayDo(request, 'run') && sendNow(request, campaign, row)} ${(state === 'ready' || state === 'waiting') && mayDo(request, 'run') && questionLink(request, rowPath(campaign.id, row.key, '/cancel'), 'Cancel…')} ${figures && html`<a class="button" href="${figures.video.video_url}" rel="noreferrer noopener" target="_blank">Open the post</a>`} ${to(beside.before, '‹ Previous')} ${to(beside.after, `Next${kind} ›`)}</nav>
  </div>`;
}

/** Leads to the question of an edit: the row has no lead any more. */
function sendNow(request: PageRequest, { id }: Campaign, { key, revision }: ShownRow): Html {
  return form(request, {
    path: rowPath(id, key, '/edit'),
    asks: true,
    body: html`${hidden('revision', String(revision))}${hidden(`${fieldPrefix}lead`, writeLead(null))}<button>Send now…</button>`,
  });
}

/** Of a caption as title, in UTF-16 units. */
const longestTitle = 90;

/** Since when it is in its state. Of a post, its notice says it; of a failure or doubt, the history. */
function since({ zone, now }: PageRequest, { state, error, result }: ShownRow): string {
  const at = error?.at ?? result?.at;
  if (at === undefined || state === 'posted' || state === 'failed' || state === 'review') return '';
  return ` · ${wordOf(state)} since ${moment(at, zone, now)}`;
}
