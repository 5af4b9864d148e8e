/** What becomes of posts once they are approved: people are told before. */
import type { Settings } from '../../../config/schema.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { handedOverAt } from '../../manifest/campaign-options.ts';
import type { Row } from '../../manifest/row.ts';
import { plural } from '../../manifest/wording.ts';
import type { Runtime } from '../runtime/runtime.ts';

type LateRule = Settings['post']['late'];

/** What becomes of a post once it is approved: the service gets it at once; it waits for its day, or in a paused campaign; its time has passed, so it is not sent. */
export type Fate = 'now' | 'later' | 'late';

export function fateOf(
  { settings, now }: Pick<Runtime, 'settings' | 'now'>,
  { state, lead }: Pick<Campaign, 'state' | 'lead'>,
  spec: Row,
): Fate {
  const isPast = spec.schedule !== undefined && spec.schedule.at <= now();
  if (isPast && settings.post.late !== 'now') return 'late';
  return state === 'running' && (handedOverAt(spec, lead) ?? 0) <= now() ? 'now' : 'later';
}

/** Number of posts. */
export type Fates = Readonly<Record<'now' | 'late', number>>;

export function fatesOf(fates: readonly Fate[]): Fates {
  const count = (fate: Fate) => fates.filter((each) => each === fate).length;
  return { now: count('now'), late: count('late') };
}

/** `2 posts go to the service now. 1 post goes to review: its time has passed.` Empty if all wait. */
export function describeFates({ now, late }: Fates, rule: LateRule): string {
  const [one, many] = rule === 'fail' ? ['fails', 'fail'] : ['goes to review', 'go to review'];
  const parts = [
    now > 0 && `${plural(now, 'post goes', 'posts go')} to the service now.`,
    late > 0 &&
      `${plural(late, `post ${one}: its time has passed.`, `posts ${many}: their times have passed.`)}`,
  ];
  return parts.filter(Boolean).join(' ');
}
