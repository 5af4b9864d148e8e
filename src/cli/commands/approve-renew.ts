/** `campaigns approve --renew ID ROW...`: makes the media of posts again, before they are approved or after a rejection. */
import type { Approved } from '../../app/approvals/approve.ts';
import { beyondLimit, planRenewals, type Renewals, renewPost } from '../../app/approvals/renew.ts';
import { findCampaign, findNamedRows } from '../../app/campaigns/find.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { aboutCost } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural, sentence } from '../../manifest/wording.ts';
import { CommandError } from '../exit.ts';
import { type ConfirmFlags, confirmUnlessDry } from '../flags/common.ts';
import { takenUpOf } from '../print/campaign.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

type Outcome = Approved['posts'][number];
type Named = Pick<Outcome, 'campaign' | 'key' | 'position'>;

/** @returns what became of each row. */
export async function renewPosts(
  id: string,
  keys: readonly string[],
  flags: CommonOptions & ConfirmFlags & { readonly dryRun?: boolean },
  print: (session: Session, outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const { dryRun = false } = flags;
  if (keys.length === 0)
    throw new CommandError('--renew needs rows', { fix: 'Name the rows whose media to make again.' });
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const found = [...(await findNamedRows(runtime, campaign, keys))];
  const named = found.map(([key, position]): Named => ({ campaign: id, key, position }));
  const renewals = await planRenewals(runtime, named);
  const { plans } = renewals;
  if (plans.length > 0) await confirmUnlessDry(output, questionOf(id, renewals), flags);
  const outcomes: Outcome[] = [];
  for (const post of named) {
    const plan = plans.find((each) => each.post === post);
    if (plan === undefined) outcomes.push({ ...post, state: null, refused: unfit });
    else if (dryRun) outcomes.push({ ...post, state: 'waiting', refused: null });
    else outcomes.push(await renewOne(session, post, plan.revision));
  }
  const done = outcomes.filter(({ state }) => state !== null).length;
  if (done > 0 && !dryRun)
    output.print(
      `The media of ${plural(done, 'post')} are made again. Then ${done === 1 ? 'it waits' : 'they wait'} for another approval. ${takenUpOf(campaign)}`,
    );
  print(session, outcomes);
}

const unfit = 'It is neither ready nor a rejected post with AI media.';

/** Names what is paid for. */
function questionOf(id: string, { plans, outputs, cost, isBeyond }: Renewals<Named>): string {
  const paid = outputs > 0 ? ` This pays for ${plural(outputs, 'AI output')} again${aboutCost(cost)}.` : '';
  return `Make the media of ${plural(plans.length, 'post')} of ${id} again?${paid}${isBeyond ? ` ${beyondLimit}` : ''}`;
}

/** One that has changed meanwhile stops no others. */
async function renewOne(
  { runtime, person, record }: Session,
  post: Named,
  revision: number,
): Promise<Outcome> {
  const { campaign: id, key } = post;
  try {
    const renewed = await renewPost(runtime, { campaign: id, key, revision }, person);
    await record(approvalOperations.renewPost, { id, key }, renewed);
    return { ...post, state: 'waiting', refused: null };
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return { ...post, state: null, refused: sentence(error.message) };
  }
}
