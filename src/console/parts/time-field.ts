/** A time that a form asks for in the zone of its page, for a row that has its time in another zone, or with an offset. */
import { timeForRow } from '../../app/campaigns/calendar/schedule.ts';
import { type Html, html } from '../html.ts';
import { hidden } from './form.ts';

/** @param own zone of the row's time; undefined for one with an offset. */
export function timeField(zone: string, own: string | undefined, local: string): Html {
  return html`${hidden('asked-in', zone)}${hidden('own-zone', own)}<label>New time (${zone})<input type="datetime-local" name="c.scheduled_at" value="${local}" required></label>`;
}

/** The time as the row has it. One of a form that asks in no zone stays as it was typed. */
export function askedTime(form: URLSearchParams, local: string): string {
  const zone = form.get('asked-in');
  return zone === null ? local : timeForRow(local, zone, form.get('own-zone') ?? undefined);
}

/** Says both zones where they differ; else nothing. */
export function zonesOfMove(form: URLSearchParams): Html | string {
  const [zone, own] = [form.get('asked-in'), form.get('own-zone')];
  if (zone === null || own === null || zone === own) return '';
  const local = (form.get('c.scheduled_at') ?? '').slice(0, 16).replace('T', ' ');
  return html`<p><b>${local}</b> in ${zone.slice(0, 40)}. The sheet has this time in ${own.slice(0, 40)}:</p>`;
}
