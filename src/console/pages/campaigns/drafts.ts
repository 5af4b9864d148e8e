/** The drafts in the list of campaigns: sheets that were dropped and not started yet. */
import { html } from 'hono/html';
import { type Draft, keptMs } from '../../../campaigns/drafts/draft.ts';
import type { Html } from '../../html.ts';
import { words } from '../../parts/language.ts';
import { dayAndMonth, moment, number } from '../../parts/numbers.ts';
import { point } from '../../parts/points.ts';
import type { PageRequest } from '../../request.ts';

const draftsShown = 12;

export function draftsSection(request: PageRequest, drafts: readonly Draft[]): Html | string {
  const open = drafts.filter(({ campaign }) => campaign === undefined);
  if (open.length === 0) return '';
  const more = open.length - draftsShown;
  return html`<section class="card" aria-labelledby="drafts">
    <h2 id="drafts">Drafts</h2>
    <ul class="points across">${open.slice(0, draftsShown).map((draft) => item(request, draft))}</ul>
    ${more > 0 ? html`<p class="note">${number(more)} older ones are not shown.</p>` : ''}
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
