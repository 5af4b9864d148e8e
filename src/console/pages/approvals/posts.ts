/** The posts of the page as its forms name them, and what comes back: decided as they were shown. */
import { type Approved, countDue } from '../../../app/approvals/approve.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { done } from '../../parts/form.ts';
import { count } from '../../parts/numbers.ts';
import type { PageRequest, Redirect } from '../../request.ts';

export interface NamedPost {
  readonly campaign: string;
  readonly position: number;
  readonly revision: number;
  /** Empty for a post that cannot be approved as it is. */
  readonly seen: string;
}

/** Most posts in one form. */
export const mostNamed = 200;

/** Value of a post in a form. */
export function nameOf({
  campaign,
  position,
  revision,
  seen,
}: Omit<NamedPost, 'seen'> & { readonly seen: string | null }): string {
  return `${campaign}.${position}.${revision}.${seen ?? ''}`;
}

/** Id of a post on the page. */
export function placeOf({ campaign, position }: Pick<NamedPost, 'campaign' | 'position'>): string {
  return `post-${campaign}-${position}`;
}

/** The post whose own button was pressed, else the selected ones. */
export function namedIn(form: URLSearchParams): readonly NamedPost[] {
  const names = form.has('one') ? form.getAll('one').slice(0, 1) : form.getAll('post');
  return names.slice(0, mostNamed).flatMap((name) => {
    const [, campaign, position, revision, seen = ''] =
      /^([^.]{1,64})\.(\d{1,9})\.(\d{1,3})\.([\w.-]{0,200})$/.exec(name) ?? [];
    if (campaign === undefined) return [];
    return [{ campaign, position: Number(position), revision: Number(revision), seen }];
  });
}

/** The list that the form came from. */
export function homeOf(home: string | null): string {
  return /^\/approvals(?:\?[\w%&=.+-]{0,800})?$/.test(home ?? '') ? (home ?? '') : '/approvals';
}

/** How many would be handed to the service at once. */
export async function dueAmong({ runtime }: PageRequest, posts: readonly NamedPost[]): Promise<number> {
  const byCampaign = [...Map.groupBy(posts, ({ campaign }) => campaign)];
  const due = await Promise.all(byCampaign.map(([id, some]) => countDue(runtime, id, some)));
  return due.reduce((sum, many) => sum + many, 0);
}

/** Decides them campaign by campaign, and leads back to the list. @param reason of a rejection. */
export async function decide(
  request: PageRequest,
  posts: readonly NamedPost[],
  reason?: string,
): Promise<Redirect> {
  const outcomes: Approved['posts'][number][] = [];
  for (const [id, some] of Map.groupBy(posts, ({ campaign }) => campaign))
    outcomes.push(...(await decideIn(request, id, some, reason)));
  const decided = outcomes.filter(({ state }) => state !== null);
  const refused = outcomes.filter(({ state }) => state === null);
  const [changed] = refused;
  const did = reason === undefined ? 'Approved' : 'Rejected';
  const said = decided.length === 0 ? `${did} nothing.` : `${did} ${count(decided.length, 'post')}.`;
  const more = refused.map(({ key, refused: why }) => `${key}: ${why}`).join(' ') || undefined;
  const [path = '', query = ''] = homeOf(request.form.get('home')).split('?');
  const params = new URLSearchParams(query);
  // Another address: else the browser would only go to the place of it, and load nothing.
  params.set('loaded', String(request.now));
  const next = request.query.get('next') ?? '';
  const place = changed === undefined ? (/^post-[\w-]{1,80}$/.test(next) ? next : '') : placeOf(changed);
  return done(
    `${path}?${params}${place && `#${place}`}`,
    said,
    more,
    refused.length === 0 ? 'done' : decided.length === 0 ? 'failed' : 'warning',
  );
}

/** All of a campaign that was cancelled or deleted meanwhile are refused; those of others are not held up by it. */
async function decideIn(
  { carryOut }: PageRequest,
  id: string,
  posts: readonly NamedPost[],
  reason: string | undefined,
): Promise<Approved['posts']> {
  try {
    const { posts: outcomes } =
      reason === undefined
        ? await carryOut(approvalOperations.decideApprovals, {
            id,
            decision: 'approve',
            posts: posts.map(({ position, revision, seen }) => ({
              position,
              revision,
              seen: seen || 'none',
            })),
          })
        : await carryOut(approvalOperations.decideApprovals, {
            id,
            decision: 'reject',
            reason,
            posts: posts.map(({ position, revision }) => ({ position, revision })),
          });
    return outcomes;
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const refused = `${error.message}.`;
    return posts.map(({ position }) => ({
      campaign: id,
      key: `Row ${position + 1}`,
      position,
      state: null,
      refused,
    }));
  }
}
