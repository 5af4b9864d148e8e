/** What becomes of posts on the page: approved or rejected as they were shown, that taken back, or their media made anew. */
import { type Approved, countFates, longestReason, type Verdict } from '../../../app/approvals/approve.ts';
import { describeFates } from '../../../app/approvals/fates.ts';
import { beyondLimit, planRenewals } from '../../../app/approvals/renew.ts';
import { approvalOperations } from '../../../app/operations/approvals.ts';
import { aboutCost } from '../../../manifest/money.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { plural, sentence } from '../../../manifest/wording.ts';
import { type Html, html, words } from '../../html.ts';
import { confirmForm, done, hidden, hiddenFields } from '../../parts/form.ts';
import type { Answer, PageRequest, Question, Redirect, Undo } from '../../request.ts';
import {
  homeOf,
  listedIn,
  listOf,
  longestHome,
  longestList,
  type NamedPost,
  namedIn,
  nameOf,
  placeOf,
} from './posts.ts';

export async function approve(request: PageRequest): Promise<Answer> {
  const posts = namedIn(request.form);
  if (posts.length === 0) return nothingSelected(request);
  if (request.form.get('sure') === 'yes') return decide(request, posts, { decision: 'approve' });
  const fates = await countFates(request.runtime, posts);
  // Nothing of it is sent yet.
  if (fates.now + fates.late === 0) return decide(request, posts, { decision: 'approve' }, { canUndo: true });
  const later = posts.length - fates.now - fates.late;
  const title = `Approve ${plural(posts.length, 'post')}?`;
  const text = html`<p><b>${describeFates(fates, request.runtime.settings.post.late)}</b>${later > 0 ? ` ${plural(later, 'post waits', 'posts wait')} for ${later === 1 ? 'its' : 'their'} time.` : ''}</p>`;
  return question(request, posts, { title, text, fields: hidden('sure', 'yes'), what: 'approve' });
}

export async function reject(request: PageRequest): Promise<Answer> {
  const posts = namedIn(request.form);
  if (posts.length === 0) return nothingSelected(request);
  const reason = (request.form.get('reason') ?? '').trim().slice(0, longestReason);
  if (reason !== '') return decide(request, posts, { decision: 'reject', reason });
  const title = `Reject ${plural(posts.length, 'post')}?`;
  const text = html`<p>${posts.length === 1 ? 'It will' : 'They will'} not be sent. To ask for approval again later, edit or retry ${posts.length === 1 ? 'the row' : 'the rows'}.</p>`;
  const fields = html`<p><label>Reason<textarea name="reason" rows="3" maxlength="${longestReason}" required autofocus></textarea></label></p>`;
  return question(request, posts, { title, text, fields, what: 'reject' });
}

/** Makes media anew: of several posts, generated ones if there are any. */
export async function renew(request: PageRequest): Promise<Answer> {
  const posts = namedIn(request.form);
  if (posts.length === 0) return nothingSelected(request);
  if (request.form.get('sure') === 'yes') return decide(request, posts, { decision: 'renew' });
  const all = await planRenewals(request.runtime, posts);
  const made = all.plans.filter(({ generation }) => generation !== undefined);
  const chosen = (made.length > 0 ? made : all.plans).map(({ post }) => post);
  if (chosen.length === 0) return nothingSelected(request, 'The media of these posts cannot be made again');
  const left = posts.length - chosen.length;
  const paid = html`<b>This pays for ${plural(all.outputs, 'AI output')} again${aboutCost(all.cost)}.</b> What was generated before is not used.${all.isBeyond && ` ${beyondLimit}`}`;
  const text = html`<p>${made.length > 0 ? paid : 'The files are uploaded as they are now.'} Then ${chosen.length === 1 ? 'it waits' : 'they wait'} for another approval.${left > 0 && ` ${plural(left, 'other post stays', 'other posts stay')} as ${left === 1 ? 'it is' : 'they are'}.`}</p>`;
  const title = `${made.length > 0 ? 'Generate' : 'Upload'} ${plural(chosen.length, 'post')} again?`;
  return question(request, chosen, { title, text, fields: hidden('sure', 'yes'), what: 'renew' });
}

interface Asked extends Readonly<Record<'text' | 'fields', Html | string>> {
  readonly title: string;
  readonly what: 'approve' | 'reject' | 'renew';
}

async function question(
  request: PageRequest,
  posts: readonly NamedPost[],
  { title, text, fields, what }: Asked,
): Promise<Question> {
  const home = homeOf(request.form.get('home'));
  const next = request.query.get('next');
  const path = `/approvals/${what}${next === null ? '' : `?${new URLSearchParams({ next })}`}`;
  const fieldsOf = posts.map((post) => ['post', nameOf(post)] as const);
  const confirm = confirmForm(request, path, home, {
    fields: html`${hiddenFields([...fieldsOf, ['home', home]])}${fields}`,
    button: title.slice(0, -1),
    isDangerous: what === 'reject',
  });
  return { kind: 'question', title, body: html`${await named(request, posts)}${text}${confirm}` };
}

const mostNamedInQuestion = 5;

async function named({ runtime }: PageRequest, posts: readonly NamedPost[]): Promise<Html> {
  const shown = posts.slice(0, mostNamedInQuestion).map(async ({ campaign: id, position }) => {
    const campaign = await runtime.ledger.campaigns.find(id);
    const view = campaign && (await runtime.views.open(id, campaign.sheetVersion));
    const row = await view?.readableRow(position);
    const place = campaign && (await runtime.ledger.rowKeys.placeOf(campaign, position));
    return row && html`<li><b>${words(place ?? row.key)}</b> ${words(row.caption.slice(0, 80))}</li>`;
  });
  const more = posts.length - mostNamedInQuestion;
  return html`<ul>${await Promise.all(shown)}${more > 0 && html`<li>and ${plural(more, 'more', 'more')}</li>`}</ul>`;
}

function nothingSelected(request: PageRequest, title = 'No post is selected'): Question {
  const back = homeOf(request.form.get('home'));
  return {
    kind: 'question',
    title,
    body: html`<p><a class="button" href="${request.link(back)}" data-back>Back</a></p>`,
    status: request.isPart ? undefined : 422,
  };
}

/** Takes approvals back: those that were just given, or one on the page of its row. */
export async function withdraw(request: PageRequest): Promise<Answer> {
  const list = request.form.get('posts');
  const posts = list === null ? namedIn(request.form) : listedIn(list);
  return posts.length === 0 ? nothingSelected(request) : decide(request, posts, { decision: 'withdraw' });
}

type Deciding = Verdict | { readonly decision: 'renew' };

const did = {
  approve: 'Approved',
  reject: 'Rejected',
  withdraw: 'Withdrew the approval of',
  renew: 'Making media again:',
} as const;

type Outcome = Approved['posts'][number];

/** Decides them campaign by campaign, and leads back to the list. */
async function decide(
  request: PageRequest,
  posts: readonly NamedPost[],
  deciding: Deciding,
  { canUndo = false } = {},
): Promise<Redirect> {
  const outcomes: Outcome[] = [];
  for (const [id, some] of Map.groupBy(posts, ({ campaign }) => campaign))
    outcomes.push(
      ...(deciding.decision === 'renew'
        ? await renewIn(request, id, some)
        : await decideIn(request, id, some, deciding)),
    );
  const decided = outcomes.filter(({ state }) => state !== null);
  const refused = outcomes.filter(({ state }) => state === null);
  const [changed] = refused;
  const what = decided.length === 0 ? 'nothing' : plural(decided.length, 'post');
  const more = refused.map(({ key, refused: why }) => `${key}: ${why}`).join(' ') || undefined;
  const home = homeOf(request.form.get('home'));
  const [path = '', query = ''] = home.split('?');
  const params = new URLSearchParams(query);
  // Another address: else the browser would only go to the place of it, and load nothing.
  params.set('loaded', String(request.now));
  const next = request.query.get('next') ?? '';
  const place = changed === undefined ? (/^post-[\w-]{1,80}$/.test(next) ? next : '') : placeOf(changed);
  return done(
    `${path}?${params}${place && `#${place}`}`,
    `${did[deciding.decision]} ${what}.`,
    more,
    refused.length === 0 ? 'done' : decided.length === 0 ? 'failed' : 'warning',
    canUndo ? undoOf(approved(posts, decided), home) : undefined,
  );
}

/** Without those that were refused: theirs may be another person's approval. */
function approved(posts: readonly NamedPost[], decided: Approved['posts']): readonly NamedPost[] {
  const places = new Set(decided.map(placeOf));
  return posts.filter((post) => places.has(placeOf(post)));
}

/** Undefined for posts whose names do not fit into a cookie: each has a button on the page of its row. */
function undoOf(posts: readonly NamedPost[], home: string): Undo | undefined {
  const list = listOf(posts);
  if (list === '' || list.length > longestList) return undefined;
  const fields = { posts: list, home: home.length > longestHome ? '/approvals' : home };
  return { label: 'Undo', path: '/approvals/withdraw', fields };
}

/** All of a campaign that was cancelled or deleted meanwhile are refused; those of others are not held up by it. */
export async function decideIn(
  { carryOut }: Pick<PageRequest, 'carryOut'>,
  id: string,
  posts: readonly NamedPost[],
  verdict: Verdict,
): Promise<Approved['posts']> {
  try {
    const seen = posts.map(({ campaign: _, seen, ...post }) => ({ ...post, seen: seen || 'none' }));
    return (await carryOut(approvalOperations.decideApprovals, { id, ...verdict, posts: seen })).posts;
  } catch (error) {
    return posts.map(({ position }) =>
      refusedBy(error, { campaign: id, key: `Row ${position + 1}`, position }),
    );
  }
}

function refusedBy(error: unknown, post: Pick<Outcome, 'campaign' | 'key' | 'position'>): Outcome {
  if (!(error instanceof UseCaseError)) throw error;
  return { ...post, state: null, refused: sentence(error.message) };
}

/** One that has changed meanwhile stops no others. */
async function renewIn(
  { runtime, carryOut }: PageRequest,
  id: string,
  posts: readonly NamedPost[],
): Promise<readonly Outcome[]> {
  const campaign = await runtime.ledger.campaigns.find(id);
  const outcomes: Outcome[] = [];
  for (const { position, revision } of posts) {
    const key = campaign ? await runtime.ledger.rowKeys.of(campaign, position) : `Row ${position + 1}`;
    const post = { campaign: id, key, position };
    if (campaign) runtime.ledger.rowKeys.remember(campaign, key, position);
    try {
      const { state } = await carryOut(approvalOperations.renewPost, { id, key, revision });
      outcomes.push({ ...post, state, refused: null });
    } catch (error) {
      outcomes.push(refusedBy(error, post));
    }
  }
  return outcomes;
}
