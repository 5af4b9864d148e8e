/** The time zone for times without one, with an example of its effect. */
import { html } from 'hono/html';
import type { CheckedDraft, DraftRow } from '../../../../../drafts/view.ts';
import { readTime } from '../../../../../manifest/cells/time.ts';
import { Zones } from '../../../../../manifest/cells/zone.ts';
import type { Html } from '../../../../html.ts';
import { mayChange } from '../../../../parts/form.ts';
import { words } from '../../../../parts/language.ts';
import { clock, day, isZone, moment, number, offset } from '../../../../parts/numbers/numbers.ts';
import { timeInRegion } from '../../../../parts/numbers/region.ts';
import { action, type ShownDraft } from '../shown.ts';

/** @param first the first row of the sheet. */
export function timesSection(shown: ShownDraft, first: DraftRow | undefined): Html {
  const { request, view, checked, typed } = shown;
  const chosen = view.draft.reading.timezone;
  const zone = checked.timezone;
  const offered = typed?.get('zone') ?? chosen ?? zone ?? request.usualZone;
  const note =
    zone === null
      ? 'Nobody has chosen a zone yet, so times without one are problems. Your browser’s zone is offered.'
      : chosen === undefined
        ? 'This is the zone of the settings.'
        : '';
  const body = mayChange(request)
    ? html`<p class="actions"><label for="zone">Times without a zone are of</label> ${zoneSelect(offered, request.now, zone === null && typed === undefined)} <button ${action(shown, '/zone')}>Use this zone</button></p>`
    : html`<p>Times without a zone are of ${zone ?? 'no zone yet'}.</p>`;
  return html`<section aria-labelledby="times">
    <div class="section"><h2 id="times">Times</h2></div>
    ${body}
    ${note === '' ? '' : html`<p class="note after">${note}</p>`}
    ${facts(shown, first, zone ?? offered)}
  </section>`;
}

/** @param isOpen whether to offer the browser's zone. */
function zoneSelect(chosen: string, now: number, isOpen: boolean): Html {
  const names = Intl.supportedValuesOf('timeZone');
  const all = ['UTC', ...names].includes(chosen) ? ['UTC', ...names] : [chosen, 'UTC', ...names];
  return html`<select id="zone" name="zone"${isOpen ? html` data-browser-zone` : ''}>${all.map(
    (name) =>
      html`<option value="${name}"${name === chosen ? html` selected` : ''}>${name}${name === chosen && isZone(name) ? ` (${offset(now, name)})` : ''}</option>`,
  )}</select>`;
}

function facts({ request, checked }: ShownDraft, first: DraftRow | undefined, zone: string): Html | string {
  const { now } = request;
  const column = checked.columns.find((each) => each.column === 'scheduled_at');
  const text = column === undefined ? '' : (first?.cells[column.position] ?? '').trim();
  const { times } = checked;
  if (text === '' && times === undefined) return '';
  return html`<dl class="facts after">
    ${text === '' || first === undefined ? '' : html`<dt>Line ${number(first.line)} has</dt><dd>${words(text)}</dd><dt>That is</dt><dd>${meaning(text, zoneOf(checked, first) ?? zone, now, first.region)}</dd>`}
    ${times === undefined ? '' : html`<dt>First and last</dt><dd>${moment(times.first, zone, now)} and ${moment(times.last, zone, now)}</dd>`}
  </dl>`;
}

/** Zone of a row's times: its own, else the sheet's; `null` if there is none. */
export function zoneOf({ columns, timezone }: CheckedDraft, row: DraftRow): string | null {
  const own = columns.find(({ column }) => column === 'scheduled_tz');
  const name = own === undefined ? '' : (row.cells[own.position] ?? '').trim();
  return isZone(name) ? name : timezone;
}

/** A time in one line; undefined if the text is no time. */
export function describeTime(text: string, zone: string, now: number, region?: string): string | undefined {
  const read = readTime(text.trim(), new Zones().find(zone));
  if (!('at' in read)) return undefined;
  const { at } = read;
  const there = timeInRegion(at, region, now);
  const here = `${day(at, zone, now)}, ${clock(at, zone)} in ${zone}`;
  return there === undefined ? here : `${here}. In the creator's region: ${there}`;
}

/** `Fri 12 Mar 2027, 18:00 in Asia/Shanghai`, and the same in UTC and in the creator's region. */
export function meaning(text: string, zone: string, now: number, region?: string): Html | string {
  const read = readTime(text, new Zones().find(zone));
  if (!('at' in read)) return read.fault.problem;
  const { at } = read;
  const there = timeInRegion(at, region, now);
  return html`<b>${day(at, zone, now)}, ${clock(at, zone)} in ${zone}</b><br>${day(at, 'UTC', now)}, ${clock(at, 'UTC')} UTC${there === undefined ? '' : html`<br>In the creator's region: ${there}`}`;
}
