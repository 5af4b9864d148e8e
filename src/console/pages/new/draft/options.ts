/** Options: name, canary, and whether to leave out rows with problems. */

import type { Settings } from '../../../../../config/schema.ts';
import { type CanaryChoice, readCanary } from '../../../../app/campaigns/import/canary.ts';
import { stopAfterBounds, stopAfterSchema } from '../../../../app/campaigns/import/start.ts';
import { type Draft, type DraftOptions, draftRefused } from '../../../../app/drafts/draft.ts';
import type { CheckedDraft } from '../../../../app/drafts/view.ts';
import { manifestName } from '../../../../importers/open/manifest-file.ts';
import { approveRules, readLead, writeLead } from '../../../../manifest/campaign-options.ts';
import { describeAge, plural } from '../../../../manifest/wording.ts';
import { type Html, html } from '../../../html.ts';
import { section } from '../../../parts/blocks.ts';
import { options as choices } from '../../../parts/form.ts';
import { draftPath, type ShownDraft } from './draft-view.ts';

/** Name of the field that marks a form with options. */
const mark = 'options';

/** Fields of the page's form, which each of its buttons sends along. @param isFolded while other things come first. */
export function optionsSection(shown: ShownDraft, isFolded: boolean): Html {
  const { request, view, checked, typed } = shown;
  const { options, id } = view.draft;
  const name = typed?.get('name') ?? options.name ?? offeredName(view.draft, checked);
  const field = (key: string, value: number | undefined) => typed?.get(key) ?? String(value ?? '');
  const isTicked = typed?.has(mark)
    ? typed.getAll('skip').includes('yes')
    : (options.leaveOutProblems ?? false);
  const fields = html`<input type="hidden" name="${mark}" value="shown">
    <div class="options">
      <label for="name">Name</label> <input id="name" name="name" value="${name}" maxlength="200" dir="auto">
      <label for="canary">Post first</label> ${canaryField(shown)}
      <label for="stop">Stop after</label> <p><input id="stop" name="stop" type="number" min="0" max="99.99" step="any" value="${field('stop', options.stopAfter)}"> % failed or in review</p>
      <label for="lead">Send to service</label> ${leadField(shown)}
      <label for="approve">Approval</label> ${approveField(shown)}
      <span>Faulty rows</span> <p><label><input type="checkbox" name="skip" value="yes"${isTicked ? html` checked` : ''}> ${leaveOutLabel(checked.refused)}</label></p>
    </div>
    <p class="actions after"><button formaction="${request.link(draftPath(id, '/options'))}">Save the options</button></p>`;
  return isFolded
    ? html`<section aria-labelledby="options"><details><summary>Options</summary><h2 id="options" class="hidden">Options</h2>${fields}</details></section>`
    : section({ id: 'options', title: 'Options' }, fields);
}

const leads = ['now', '1h', '1d', '2d', '7d'];

/** When the service gets the posts. Until then they can be changed. */
function leadField({ request, view, checked, typed }: ShownDraft): Html {
  const usual = writeLead(request.runtime.settings.lead);
  const chosen = typed?.get('lead') ?? view.draft.options.lead ?? usual;
  const all = [...new Set([...leads, usual, chosen])].map((lead) => [lead, describeLead(lead)] as const);
  return html`<p><select id="lead" name="lead">${choices(all, chosen)}</select>
        <small>Until then, posts with a time wait here and can be changed. A worker must run when their time comes.${checked.times !== undefined && ' Once the service has a post, an update can no longer change its caption or time.'}</small></p>`;
}

/** When the service gets the posts with a time, with the way to change it: a new draft has taken it over from the newest campaign. */
export function leadFact({ request, view, checked }: ShownDraft): Html | undefined {
  if (checked.times === undefined || view.draft.into !== undefined) return undefined;
  const lead = describeLead(view.draft.options.lead ?? writeLead(request.runtime.settings.lead));
  return html`sent to the service ${lead} (<a href="#lead">change</a>)`;
}

function describeLead(text: string): string {
  const lead = readLead(text) ?? null;
  return lead === null ? 'right away' : `${describeAge(lead)} before their time`;
}

/** Which posts wait for a person. */
function approveField({ request, view, typed }: ShownDraft): Html {
  const usual = request.runtime.settings.approve;
  const chosen = typed?.get('approve') ?? view.draft.options.approve ?? usual;
  const rules = approveRules.map((rule) => [rule, approvalWords[rule]] as const);
  return html`<p><select id="approve" name="approve">${choices(rules, chosen)}</select>
        <small>They wait, with their media ready, until a person approves them.</small></p>`;
}

const approvalWords = { none: 'no post waits', generated: 'posts with AI media wait', all: 'all posts wait' };

/** Which rows go first: so many, one of each kind or creator, or some by their numbers. */
function canaryField({ view, typed }: ShownDraft): Html {
  const { canary } = view.draft.options;
  const by =
    typed?.get('canary-by') ??
    (typeof canary === 'object' ? 'rows' : typeof canary === 'string' ? canary : 'first');
  const many = typed?.get('canary') ?? (typeof canary === 'number' ? String(canary) : '');
  const rows = typed?.get('canary-rows') ?? (typeof canary === 'object' ? canary.rows.join(', ') : '');
  const kinds = [
    ['first', 'the first rows of the sheet'],
    ['kinds', 'one row of each kind: video, photos, AI'],
    ['creators', 'one row of each creator'],
    ['rows', 'rows by their numbers'],
  ] as const;
  return html`<p class="canary"><select id="canary" name="canary-by">${choices(kinds, by)}</select>
        <label data-for="first">How many <input name="canary" type="number" min="1" value="${many}" placeholder="none"></label>
        <label data-for="rows">Row numbers <input name="canary-rows" value="${rows}" size="8" maxlength="4000" placeholder="3, 17"></label>
        <small>Then the campaign pauses until you release the rest (canary).</small></p>`;
}

/** @throws {UseCaseError} `draft_refused` for a field that names no rows. */
function readCanaryFields(form: URLSearchParams): CanaryChoice | null {
  const by = form.get('canary-by');
  if (by === 'kinds' || by === 'creators') return by;
  if (by !== 'rows') {
    return numberIn(form, canary, (value) => Number.isSafeInteger(value) && value >= 1);
  }
  const choice = readCanary(`rows:${form.get('canary-rows') ?? ''}`);
  if (typeof choice === 'object') return choice;
  throw draftRefused('The canary has no row numbers', 'Write numbers, such as 3, 17. Or choose other rows.');
}

function leaveOutLabel(refused: number): string {
  if (refused === 0) return 'Skip rows with problems';
  if (refused === 1) return 'Skip the row above. You can download it with its problems.';
  return `Skip the ${plural(refused, 'row')} above. You can download them with their problems.`;
}

/** Default name of the campaign. */
export function offeredName({ sheet }: Draft, checked: CheckedDraft | undefined): string {
  return checked?.name ?? manifestName(sheet?.name ?? '');
}

/** All options; null resets an option. */
export type ChosenOptions = { readonly [Name in keyof DraftOptions]-?: DraftOptions[Name] | null };

/** @returns undefined for a form without options. @throws {UseCaseError} `draft_refused` for an invalid number. */
export function readOptions(
  form: URLSearchParams,
  { sheetName, lead, approve }: { readonly sheetName: string } & Pick<Settings, 'lead' | 'approve'>,
): ChosenOptions | undefined {
  if (!form.has(mark)) return undefined;
  const name = (form.get('name') ?? '').trim().slice(0, 200);
  return {
    // The name of the sheet is the default, so it is not stored.
    name: name === '' || name === sheetName ? null : name,
    canary: readCanaryFields(form),
    stopAfter: numberIn(form, stopAfter, (value) => stopAfterSchema.safeParse(value).success),
    lead: form.get('lead') === writeLead(lead) ? null : form.get('lead'),
    approve: approveRules.find((rule) => rule !== approve && rule === form.get('approve')) ?? null,
    leaveOutProblems: form.getAll('skip').includes('yes'),
  };
}

const canary = { field: 'canary', label: 'Canary', right: 'a whole number of 1 or more' };
const stopAfter = { field: 'stop', label: 'Stop after', right: `a percentage ${stopAfterBounds}` };

/** Null for an empty field. @throws {UseCaseError} `draft_refused`. */
function numberIn(
  form: URLSearchParams,
  { field, label, right }: { readonly field: string; readonly label: string; readonly right: string },
  isRight: (value: number) => boolean,
): number | null {
  const text = (form.get(field) ?? '').trim();
  if (text === '') return null;
  if (isRight(Number(text))) return Number(text);
  throw draftRefused(`${label} is not ${right}`, `Write ${right}, or leave it empty.`);
}

export function isOther(chosen: ChosenOptions, stored: DraftOptions): boolean {
  return (
    (['name', 'canary', 'stopAfter', 'lead', 'approve'] as const).some(
      (each) => JSON.stringify(chosen[each] ?? null) !== JSON.stringify(stored[each] ?? null),
    ) || chosen.leaveOutProblems !== (stored.leaveOutProblems ?? false)
  );
}
