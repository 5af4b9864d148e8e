/** Drafts in the list of campaigns: sheets that were uploaded and not started yet. */
import { html } from 'hono/html';
import { type Draft, keptMs } from '../../../drafts/draft.ts';
import type { AllDrafts } from '../../../drafts/drafts.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';
import { dayAndMonth, moment, number } from '../../parts/numbers/numbers.ts';
import { point } from '../../parts/points.ts';
import type { PageRequest } from '../../request.ts';

const draftsShown = 12;

export function draftsSection(request: PageRequest, { drafts, unreadable }: AllDrafts): Html | string {
  const open = drafts.filter(({ campaign }) => campaign === undefined);
  if (open.length + unreadable.length === 0) return '';
  const shown = request.query.get('drafts') === 'all' ? open.length : draftsShown;
  const more = open.length - shown;
  return html`<section class="card" aria-labelledby="drafts">
    <h2 id="drafts">Drafts</h2>
    <ul class="points across">${open.slice(0, shown).map((draft) => item(request, draft))}${unreadable.map((draft) => unreadableItem(request, draft))}</ul>
    ${more > 0 ? html`<p class="note">${number(more)} older ones are not shown. <a href="${request.link('/campaigns?drafts=all')}">Show all</a></p>` : ''}
  </section>`;
}

function item({ link, zone, now }: PageRequest, { id, sheet, options, changedAt, owner }: Draft): Html {
  const name = options.name ?? sheet?.name ?? 'Without a sheet yet';
  return point({
    state: 'waiting',
    what: html`<a href="${link(`/campaigns/new/${id}`)}">${words(name)}</a>`,
    more: html`of ${words(owner)}, changed ${moment(changedAt, zone, now)}, kept until ${dayAndMonth(changedAt + keptMs, zone, now)}`,
  });
}

function unreadableItem(
  { zone, now }: PageRequest,
  { id, changedAt }: AllDrafts['unreadable'][number],
): Html {
  return point({
    state: 'failed',
    what: html`A draft that cannot be read`,
    more: html`its record is damaged; the original sheet is on the server, in <code>drafts/${id}/sheet</code> of the data directory. Kept until ${dayAndMonth(changedAt + keptMs, zone, now)}`,
  });
}
