/** The times of the sheet: the zone of those without one, what the first row means, the first and the last. */
import { mayDo } from '../../../../app/access/roles.ts';
import { textIn, timeIn } from '../../../../app/drafts/check/check-view.ts';
import type { CheckedDraft, DraftRow } from '../../../../app/drafts/view.ts';
import { readTime } from '../../../../manifest/cells/time.ts';
import { Zones } from '../../../../manifest/cells/zone.ts';
import { hintsOf } from '../../../../manifest/problems/hint.ts';
import { asSentence } from '../../../../manifest/wording.ts';
import { type Html, html, words } from '../../../html.ts';
import { section } from '../../../parts/blocks.ts';
import { hidden, options, zoneChoices } from '../../../parts/form.ts';
import { clock, day, dayAndMonth, isZone, moment, namedZone, timeInRegion } from '../../../parts/numbers.ts';
import { placeName } from '../../../parts/sheets.ts';
import { action, type ShownDraft } from './draft-view.ts';
import { offeredZone } from './form.ts';

/** The first and the last time of the sheet, which the stream updates. */
export function timesSpan(shown: ShownDraft): Html {
  return html`<span id="draft-span">${span(shown)}</span>`;
}

function span({ request, checked: { times, timezone } }: ShownDraft): string {
  if (times === undefined) return '';
  const zone = timezone ?? request.zone;
  const at = (time: number) => `${dayAndMonth(time, zone, request.now)}, ${clock(time, zone)}`;
  return times.first === times.last ? at(times.first) : `${at(times.first)} to ${at(times.last)}`;
}

/** The zone that the sheet says its times are in, while none is chosen; and where it says so. */
export function toldZone({ notices, timezone }: Pick<CheckedDraft, 'notices' | 'timezone'>) {
  const told = notices.find(({ code }) => code === 'zone_told');
  const zone = hintsOf(told?.fix ?? '').flatMap((each) =>
    each.action === 'timezone' ? each.params.zone : [],
  )[0];
  return told && zone !== undefined && timezone === null ? { zone, evidence: told.problem } : undefined;
}

/** @param first the first row of the sheet. */
export function timesSection(shown: ShownDraft, first: DraftRow | undefined): Html {
  const { request, view, checked, typed } = shown;
  const chosen = view.draft.reading.timezone;
  const zone = checked.timezone;
  const told = toldZone(checked);
  const offered = typed?.get('zone') ?? chosen ?? zone ?? told?.zone ?? request.usualZone;
  const note =
    zone === null
      ? 'No time zone is chosen yet, so times without one are problems. ' +
        (told === undefined
          ? 'The sheet names none: your browser’s zone is selected.'
          : asSentence(told.evidence))
      : chosen === undefined
        ? 'This is the zone of the settings.'
        : '';
  const body = mayDo(request, 'edit')
    ? html`<p class="actions">${hidden(offeredZone, chosen ?? zone ?? told?.zone ?? request.usualZone)}<label for="zone">Times without a zone use</label> ${zoneSelect(offered, request.now, zone === null && told === undefined && typed === undefined)} <button ${action(shown, '/zone')}>Use this zone</button></p>`
    : html`<p>${zone === null ? 'No zone is set for times without one.' : `Times without a zone use ${zone}.`}</p>`;
  const more = note === '' ? '' : html`<p class="note after">${words(note)}</p>`;
  return section({ id: 'times', title: 'Times' }, html`${body}${more}${timesFacts(shown, first)}`);
}

/** @param isOpen whether to offer the browser's zone. */
function zoneSelect(chosen: string, now: number, isOpen: boolean): Html {
  const choices = zoneChoices(chosen).map((name) => {
    const label = name === chosen && isZone(name) ? namedZone(name, now) : name;
    return [name, label] as const;
  });
  return html`<select name="zone" id="zone"${isOpen ? html` data-browser-zone` : ''}>${options(choices, chosen)}</select>`;
}

/** What the first time means, and the last: the stream updates it. */
export function timesFacts(shown: ShownDraft, first: DraftRow | undefined): Html {
  return html`<div id="draft-times">${facts(shown, first)}</div>`;
}

function facts({ request, view, checked, typed }: ShownDraft, first: DraftRow | undefined): Html | string {
  const { now } = request;
  const zone = checked.timezone ?? typed?.get('zone') ?? view.draft.reading.timezone ?? request.usualZone;
  const text = first === undefined ? '' : timeIn(checked, first);
  const { times } = checked;
  if (text === '' && times === undefined) return '';
  return html`<dl class="facts after">
    ${text === '' || first === undefined ? '' : html`<dt>${words(placeName(first))} has</dt><dd>${words(text)}</dd><dt>That is</dt><dd>${meaning(text, zoneOf(checked, first) ?? zone, now, first.region)}</dd>`}
    ${times === undefined ? '' : html`<dt>First and last</dt><dd>${moment(times.first, zone, now)} and ${moment(times.last, zone, now)}</dd>`}
  </dl>`;
}

/** Zone of a row's times: its own, else the sheet's; `null` if there is none. */
export function zoneOf(checked: CheckedDraft, row: DraftRow): string | null {
  const name = textIn(checked, row, 'scheduled_tz');
  return isZone(name) ? name : checked.timezone;
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
