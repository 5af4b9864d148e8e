/** Posts of a campaign as pictures: those that were posted last, and a few of each cause. */
import { type CampaignPost, readPosts } from '../../../app/campaigns/calendar/posts.ts';
import { isAllReady } from '../../../app/campaigns/post-status.ts';
import type { Cause } from '../../../app/campaigns/repair.ts';
import { listRows } from '../../../app/campaigns/rows/list.ts';
import { unlessLate } from '../../../app/runtime/patience.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { DeliveryCounts } from '../../../ledger/rows/results.ts';
import { plural } from '../../../manifest/wording.ts';
import { type Html, html } from '../../html.ts';
import { section } from '../../parts/blocks.ts';
import { rowPath } from '../../parts/list.ts';
import { clock, dayAndMonth, isoDay, moment } from '../../parts/numbers.ts';
import { rowPictures } from '../../parts/picture.ts';
import { type Cover, covers, filmOfKeys } from '../../parts/post-pictures.ts';
import { icon } from '../../parts/state.ts';
import type { PageRequest } from '../../request.ts';

/** As many as one line shows. */
const mostCovers = 10;
/** Accepted rows among which those are that are out. */
const mostLookedAt = 50;
const mostInFilm = 4;

/** What is out, the newest first; if nothing is yet, the posts that come next, or wait for an approval. */
export async function readCovers(request: PageRequest, campaign: Campaign): Promise<readonly Cover[]> {
  const { runtime, zone, now, link } = request;
  const options = { filter: { state: 'posted' as const }, order: 'changed' as const, limit: mostLookedAt };
  const { rows } = campaign.counts.posted === 0 ? { rows: [] } : await listRows(runtime, campaign, options);
  const out = rows.filter(({ delivery, scheduledAt }) => delivery !== 'scheduled' || scheduledAt === null);
  const ready = isAllReady(campaign);
  const next =
    out.length === 0 && (rows.length > 0 || ready) ? await nextPosts(request, campaign, ready) : [];
  const waiting = ready && rows.length + next.length === 0 ? await readyRows(request, campaign) : [];
  const shown = next.length > 0 ? [] : [...(out.length > 0 ? out : rows), ...waiting].slice(0, mostCovers);
  const pictures = await rowPictures(request, campaign, [...shown, ...next]);
  const time = (at: number) => {
    if (isoDay(at, zone) === isoDay(now, zone)) return clock(at, zone);
    const date = dayAndMonth(at, zone, now);
    // There is room for one line: the year of another one says more than the time.
    return /\d{4}$/.test(date) ? date : `${date}, ${clock(at, zone)}`;
  };
  const accepted = shown.map(({ key, position, creator, state, delivery, scheduledAt, changedAt }) => {
    const isReady = state === 'ready';
    const isAhead = isReady || (delivery === 'scheduled' && scheduledAt !== null);
    const at = isAhead ? scheduledAt : changedAt;
    const when = at === null ? '' : time(Date.parse(at));
    return {
      address: link(rowPath(campaign.id, key)),
      picture: pictures.get(position),
      creator,
      isAhead,
      when: isReady
        ? html`${icon('ready')} for approval`
        : isAhead
          ? html`${icon('clock', 'goes out')} ${when}`
          : when,
    };
  });
  const ahead = next.map(({ key, position, name, at, state }) => ({
    address: link(rowPath(campaign.id, key)),
    picture: pictures.get(position),
    creator: name,
    isAhead: true,
    when: html`${state === 'ready' ? icon('ready', 'ready') : icon('clock', 'goes out')} ${time(at)}`,
  }));
  return [...accepted, ...ahead];
}

/** Without a time: each goes out once it is approved. */
async function readyRows({ runtime }: PageRequest, campaign: Campaign) {
  const { rows } = await listRows(runtime, campaign, { filter: { state: 'ready' }, limit: mostCovers });
  return rows.filter(({ isUnapproved }) => isUnapproved);
}

/** A large sheet is read once, which takes seconds: nobody waits for it here. */
const patienceMs = 1000;

/** Those that the service has and, if all others are ready, those too. None while a large sheet is being read. */
async function nextPosts(
  { runtime, progress, zone, now }: PageRequest,
  { id }: Campaign,
  hasReady: boolean,
): Promise<readonly CampaignPost[]> {
  const query = { campaign: id, from: isoDay(now, zone), days: 1, zone, mostUntimed: 0 };
  const reading = readPosts(runtime, progress.schedules, query, 'all');
  reading.catch(() => undefined);
  const read = await unlessLate(reading, patienceMs);
  return (read?.posts ?? [])
    .filter(
      (post): post is CampaignPost => post.delivery === 'scheduled' || (hasReady && post.state === 'ready'),
    )
    .sort((one, other) => one.at - other.at)
    .slice(0, mostCovers);
}

export function coversSection(
  request: PageRequest,
  { state }: Campaign,
  posts: readonly Cover[],
  ahead: Html | string,
): Html {
  if (posts.length === 0) return html`<div id="campaign-covers"></div>`;
  const title = posts.every(({ isAhead }) => isAhead)
    ? 'Next posts'
    : state === 'ended'
      ? 'Posted last'
      : 'Just posted';
  return section(
    { part: 'campaign-covers', id: 'posted', title, note: ahead },
    covers(request, posts, 'posted'),
  );
}

/** The posts that lie ahead: the service has them, so only there they can be stopped. */
export function aheadText(
  { now, zone, link }: PageRequest,
  { id }: Campaign,
  { scheduled, unconfirmed, firstAt, lastAt }: DeliveryCounts,
): Html | string {
  const at = (ms: number) => moment(ms, zone, now);
  const times =
    firstAt === undefined || lastAt === undefined
      ? ''
      : firstAt === lastAt
        ? ` on ${at(firstAt)}`
        : ` between ${at(firstAt)} and ${at(lastAt)}`;
  const calendar = html`<a href="${link(`/calendar?campaign=${id}`)}">Calendar</a>`;
  const late = html`<a href="${link(`/campaigns/${id}?state=unconfirmed#rows`)}">${plural(unconfirmed, 'post')} not confirmed</a>`;
  return html`${scheduled === 0 ? '' : html`${plural(scheduled, 'post')} will be published${times}. To stop ${scheduled === 1 ? 'it, delete it' : 'one, delete it'} in the service. ${calendar}`}${unconfirmed === 0 ? '' : html` ${late}`}`;
}

/** A few pictures of each cause, in the order of the causes. */
export type Films = readonly (Html | string)[];

export async function readFilms(
  request: PageRequest,
  campaign: Campaign,
  causes: readonly Cause[],
): Promise<Films> {
  const read = (cause: Cause) => filmOfKeys(request, campaign, cause.examples.slice(0, mostInFilm));
  return await Promise.all(causes.map(read));
}
