/** Decisions about rows in review as form fields. The name of a field identifies the row in the revision that was shown. */
import type { Choice } from '../../../campaigns/decisions/decide-row.ts';
import type { Verdict } from '../../../campaigns/decisions/decision.ts';
import type { ReviewItem } from '../../../campaigns/decisions/review-item.ts';

/** Values of the radio group: a verdict, with its id after a space. For `other`, the id is in a field of its own. */
export type ChoiceValue =
  | `${'posted' | 'generated'} ${string}`
  | 'posted-other'
  | 'generated-other'
  | 'not-posted'
  | 'not-generated'
  | '';

/** Most decisions in one form. */
export const mostChoices = 200;

type Place = Pick<Choice, 'campaign' | 'position' | 'revision'>;

export function placeOf({ campaign, position, revision }: ReviewItem): Place {
  return { campaign: campaign.id, position, revision };
}

/** Name of the radio group of a row. */
export function choiceField({ campaign, position, revision }: Place): string {
  return `d.${campaign}.${position}.${revision}`;
}

/** Name of the field for the id of `other`. */
export function idField(place: Place): string {
  return choiceField(place).replace('d', 'i');
}

/** Reads the decisions in a form; leaves out undecided rows. */
export function readChoices(form: URLSearchParams): readonly Choice[] {
  const choices: Choice[] = [];
  for (const [name, value] of form) {
    const [, campaign, position, revision] = /^d\.([^.]{1,64})\.(\d{1,9})\.(\d{1,3})$/.exec(name) ?? [];
    if (campaign === undefined || choices.length === mostChoices) continue;
    const place = { campaign, position: Number(position), revision: Number(revision) };
    const verdict = verdictOf(value, form.get(idField(place)) ?? '');
    if (verdict !== undefined) choices.push({ ...place, verdict });
  }
  return choices;
}

function verdictOf(value: string, typed: string): Verdict | undefined {
  const at = value.indexOf(' ');
  const [kind, id] = at < 0 ? [value, typed.trim()] : [value.slice(0, at), value.slice(at + 1)];
  switch (kind) {
    case 'posted':
    case 'posted-other':
      return { kind: 'posted', postId: id };
    case 'generated':
    case 'generated-other':
      return { kind: 'generated', scheduleId: id };
    case 'not-posted':
    case 'not-generated':
      return { kind };
    default:
      return undefined;
  }
}

/** The value of the radio button for a verdict. */
export function choiceValue(verdict: Verdict): ChoiceValue {
  switch (verdict.kind) {
    case 'posted':
      return `posted ${verdict.postId}`;
    case 'generated':
      return `generated ${verdict.scheduleId}`;
    default:
      return verdict.kind;
  }
}
