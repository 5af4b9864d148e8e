/** `campaigns approve --renew ID ROW...`: makes the media of posts again, before they are approved or after a rejection. */
import type { Approved } from '../../app/approvals/approve.ts';
import { planRenewal, type Renewal, renewPost } from '../../app/approvals/renew.ts';
import { findCampaign, findRow } from '../../app/campaigns/find.ts';
import { approvalOperations } from '../../app/operations/approvals.ts';
import { aboutCost, costOfOutputs } from '../../manifest/money.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural, sentence } from '../../manifest/wording.ts';
import { CommandError } from '../exit.ts';
import { type ConfirmFlags, confirm } from '../flags/common.ts';
import { takenUpOf } from '../print/campaign.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';

interface RenewFlags extends CommonOptions, ConfirmFlags {
  readonly dryRun?: boolean;
}

type Outcome = Approved['posts'][number];

/** @returns what became of each row. */
export async function renewPosts(
  id: string,
  keys: readonly string[],
  flags: RenewFlags,
  print: (session: Session, outcomes: readonly Outcome[]) => void,
): Promise<void> {
  const { dryRun = false } = flags;
  if (keys.length === 0)
    throw new CommandError('--renew needs rows', { fix: 'Name the rows whose media are to be made again.' });
  await using session = await openSession(flags, { writes: !dryRun });
  const { runtime, output } = session;
  const campaign = await findCampaign(runtime, id);
  const rows: (Outcome & { readonly plan: Renewal | undefined })[] = [];
  for (const key of new Set(keys)) {
    const position = await findRow(runtime, campaign, key);
    const plan = await planRenewal(runtime, { campaign: id, key });
    const refused = plan === undefined ? unfit : null;
    rows.push({ campaign: id, key, position, state: plan ? 'waiting' : null, refused, plan });
  }
  const plans = rows.flatMap(({ plan }) => (plan === undefined ? [] : [plan]));
  const question = questionOf(session, id, plans);
  if (plans.length > 0 && dryRun) output.print(`Nothing was changed. Without --dry-run it asks: ${question}`);
  if (plans.length > 0 && !dryRun) await confirm(question, flags);
  const outcomes: Outcome[] = [];
  for (const { plan, ...row } of rows)
    outcomes.push(plan === undefined || dryRun ? row : await renewOne(session, row, plan));
  const done = outcomes.filter(({ state }) => state !== null).length;
  if (done > 0 && !dryRun)
    output.print(
      `The media of ${plural(done, 'post')} are made again. Then ${done === 1 ? 'it waits' : 'they wait'} for another approval. ${takenUpOf(campaign)}`,
    );
  print(session, outcomes);
}

const unfit = 'It is neither ready nor a rejected post with AI media.';

/** Names what is paid for. */
function questionOf({ runtime }: Session, id: string, plans: readonly Renewal[]): string {
  const byModel = new Map<string, number>();
  for (const { generation } of plans)
    if (generation) byModel.set(generation.model, (byModel.get(generation.model) ?? 0) + generation.count);
  const outputs = [...byModel.values()].reduce((sum, many) => sum + many, 0);
  const cost = aboutCost(costOfOutputs(byModel, runtime.settings.spend));
  const paid = outputs > 0 ? ` This pays for ${plural(outputs, 'AI output')} again${cost}.` : '';
  return `Make the media of ${plural(plans.length, 'post')} of ${id} again?${paid}`;
}

/** One that has changed meanwhile stops no others. */
async function renewOne(
  { runtime, person, record }: Session,
  row: Outcome,
  { revision }: Renewal,
): Promise<Outcome> {
  const { campaign: id, key } = row;
  try {
    const renewed = await renewPost(runtime, { campaign: id, key, revision }, person);
    await record(approvalOperations.renewPost, { id, key }, renewed);
    return row;
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    return { ...row, state: null, refused: sentence(error.message) };
  }
}
