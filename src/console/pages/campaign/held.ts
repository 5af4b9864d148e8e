/** What holds a campaign back. */
import { html } from 'hono/html';
import { notesOf } from '../../../campaigns/progress/notes.ts';
import type { CampaignProgress } from '../../../campaigns/progress/reader.ts';
import type { Html } from '../../html.ts';
import { point } from '../../parts/points.ts';
import type { ShownState } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

const states: readonly (readonly [about: RegExp, state: ShownState])[] = [
  [/^held /, 'running'],
  [/^review/, 'review'],
  [/^asleep/, 'waiting'],
];

export function heldSection(_request: PageRequest, progress: CampaignProgress): Html {
  const notes = notesOf(progress);
  if (notes.length === 0) return html`<div id="campaign-held"></div>`;
  return html`<section id="campaign-held" aria-labelledby="held">
    <div class="section"><h2 id="held">Held back by</h2></div>
    <ul class="points">${notes.map(({ about, text }) =>
      point({
        state: states.find(([pattern]) => pattern.test(about))?.[1] ?? 'warning',
        what: html`<b>${capital(text)}</b>`,
      }),
    )}</ul>
  </section>`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
