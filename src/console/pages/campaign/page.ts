/** `/campaigns/ID`: how far it is and how long it takes, what was posted last, what failed, and its rows. */
import { freshMs } from '../../../app/campaigns/causes.ts';
import { findCampaign } from '../../../app/campaigns/find.ts';
import { deliveredCounts, readDeliveriesOf } from '../../../app/campaigns/post-status.ts';
import type { Cause } from '../../../app/campaigns/repair.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { DeliveryCounts } from '../../../ledger/rows/results.ts';
import { type Html, html } from '../../html.ts';
import type { LiveParts } from '../../live.ts';
import { crumbs, liveStream } from '../../parts/blocks.ts';
import { inZoneOf } from '../../parts/numbers.ts';
import type { Page, PageRequest, Route, Stream } from '../../request.ts';
import { actionRoutes } from './actions.ts';
import { causesSection } from './causes.ts';
import { aheadText, coversSection, readCovers, readFilms } from './covers.ts';
import { approvalsNotice, canarySection, head, ignoredNote, leftOutNote, notInSheetNote } from './head.ts';
import { linkRoutes } from './links.ts';
import { positionsOf, rowsReader } from './row-lines.ts';
import { changedParts, readRows, rowsSection, tabCounts } from './rows.ts';
import { stage, stageParts, titleOf } from './stage.ts';
import { intoRoutes } from './update.ts';

export const campaignRoutes: readonly Route[] = [
  { method: 'get', path: '/campaigns/:id', right: 'see', handle: showCampaignPage },
  { method: 'get', path: '/campaigns/:id/events', right: 'see', handle: streamCampaignPage },
  ...actionRoutes,
  ...linkRoutes,
  ...intoRoutes,
];

interface Readers {
  /** Takes long if many rows failed. */
  readonly causes: (campaign: Campaign) => Promise<readonly Cause[]>;
  readonly pictures: ReturnType<typeof pictureReader>;
}

async function look(
  request: PageRequest,
  found: Promise<Campaign>,
  { causes: readCauses, pictures }: Readers,
) {
  const { params, runtime, progress: reader } = request;
  const id = params.id ?? '';
  // What needs only the id is read with the campaign: each step of a page waits for Redis.
  const [now, creators, deliveries] = await Promise.all([
    found,
    runtime.ledger.campaigns.creatorCount(id),
    readDeliveriesOf(runtime, { id }),
  ]);
  // All figures of the page are of one reading.
  const { counts, steps } = await reader.figures(now);
  const campaign = { ...now, counts };
  const shown = deliveredCounts(campaign, deliveries);
  const withCosts = async (causes: readonly Cause[]) => ({
    causes,
    costs: await request.costs.of(runtime, campaign, causes),
  });
  const [{ causes, costs }, progress, throughput] = await Promise.all([
    readCauses(campaign).then(withCosts),
    reader.summary(campaign),
    reader.throughput(campaign),
  ]);
  const posts = await pictures(inZoneOf(request, campaign), campaign, { causes, deliveries });
  return { ...posts, campaign, causes, costs, creators, deliveries, progress, shown, steps, throughput };
}

/** Reads again only if what it depends on has changed. */
function remembered<T>(): (of: string, read: () => Promise<T>) => Promise<T> {
  let kept: { readonly of: string; readonly value: T } | undefined;
  return async (of, read) => {
    if (kept?.of !== of) kept = { of, value: await read() };
    return kept.value;
  };
}

function pictureReader() {
  const [coversBy, filmsBy] = [
    remembered<Awaited<ReturnType<typeof readCovers>>>(),
    remembered<Awaited<ReturnType<typeof readFilms>>>(),
  ];
  return async (
    request: PageRequest,
    campaign: Campaign,
    { causes, deliveries }: { readonly causes: readonly Cause[]; readonly deliveries: DeliveryCounts },
  ) => {
    const accepted = JSON.stringify([campaign.counts.posted, campaign.counts.ready, deliveries]);
    const examples = JSON.stringify(causes.map((cause) => [cause.state, cause.code, cause.examples]));
    const [covers, films] = await Promise.all([
      coversBy(accepted, () => readCovers(request, campaign)),
      filmsBy(examples, () => readFilms(request, campaign, causes)),
    ]);
    return { covers, films };
  };
}

type CampaignView = Awaited<ReturnType<typeof look>>;

async function showCampaignPage(request: PageRequest): Promise<Page> {
  const { runtime, params } = request;
  const id = params.id ?? '';
  // Read before the rows, on the same connection: a change between the two is then counted as new.
  const changed = runtime.ledger.changed.lastAt(id);
  const found = findCampaign(runtime, id);
  const [since, rows, seen] = await Promise.all([
    changed,
    readRows(request),
    look(request, found, {
      causes: (of) => request.progress.causes.of(of, freshMs),
      pictures: pictureReader(),
    }),
  ]);
  const { campaign } = seen;
  const at = inZoneOf(request, campaign);
  const parts = liveParts(at, seen);
  return {
    kind: 'page',
    title: titleOf(seen),
    zone: at.zone,
    stream: `/campaigns/${campaign.id}/events?${new URLSearchParams({ since: String(since), at: String(request.now), shown: positionsOf(rows) })}`,
    main: html`
      ${crumbs(request, [['/campaigns', 'Campaigns']], campaign.id)}
      ${parts['campaign-head']}
      ${await ignoredNote(at, campaign)}
      ${await leftOutNote(at, campaign)}
      ${await notInSheetNote(at, campaign)}
      ${await canarySection(at, campaign)}
      ${parts['campaign-approvals']}
      ${stage(parts)}
      ${parts['campaign-covers']}
      ${parts['campaign-causes']}
      ${rowsSection(at, seen, rows)}`,
  };
}

function streamCampaignPage(request: PageRequest): Stream {
  const { params, query } = request;
  const time = (name: string) => Math.min(Math.max(0, Number(query.get(name)) || 0), request.now);
  const [since, loadedAt] = [time('since'), time('at')];
  const pictures = pictureReader();
  // The cost of a release is read from the rows, so only again when their number has changed.
  const canaryBy = remembered<Html>();
  const canary = (at: PageRequest, campaign: Campaign) =>
    canaryBy(`${campaign.state} ${campaign.counts.waiting}`, () => canarySection(at, campaign));
  const shown = query.get('shown') ?? '';
  const readListed = rowsReader(request, shown);
  return liveStream(
    request,
    { key: `campaign ${params.id} ${since} ${loadedAt} ${shown}`, hasForms: true },
    async (at) => {
      const found = findCampaign(at.runtime, params.id ?? '');
      const [seen, changed, listed] = await Promise.all([
        look(at, found, { causes: (of) => at.progress.causes.of(of), pictures }),
        changedParts(request, since, loadedAt),
        readListed(),
      ]);
      const parts = { ...liveParts(at, seen), 'campaign-canary': await canary(at, seen.campaign) };
      return { ...parts, ...changed, ...listed };
    },
  );
}

function liveParts(request: PageRequest, seen: CampaignView) {
  const { campaign, causes, costs, films, covers, deliveries } = seen;
  return {
    ...stageParts(request, seen),
    ...tabCounts(seen.shown),
    'campaign-head': head(request, seen),
    'campaign-approvals': approvalsNotice(request, campaign),
    'campaign-covers': coversSection(request, campaign, covers, aheadText(request, campaign, deliveries)),
    'campaign-causes': causesSection(request, campaign, causes, { costs, films }),
  } satisfies LiveParts;
}
