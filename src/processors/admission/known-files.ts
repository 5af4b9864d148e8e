/** Finds given media that the service already has, so that no upload is queued for them. */
import { LRUCache } from 'lru-cache';
import { remembered } from '../../ledger/remembered.ts';
import { identifyMedia } from '../../media/source.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';
import type { WaitingRow } from './next-rows.ts';

export type KnownFiles = readonly (readonly [index: number, fileId: string])[];

type Identities = LRUCache<string, Promise<string | undefined>>;

/**
 * File identities by source, cached briefly: many rows of one admission share a file, and so do those of the next. Not shared
 * between campaigns, because a file may have changed since another campaign sent it.
 */
const identitiesOf = new WeakMap<CampaignView, Identities>();

/** @returns by row: position and file id of each medium that the service has. */
export async function uploadedBefore(
  context: ProcessorContext,
  view: CampaignView,
  candidates: readonly WaitingRow[],
): Promise<ReadonlyMap<number, KnownFiles>> {
  const wanted: { row: number; index: number; identity: Promise<string | undefined> }[] = [];
  for (const { row, spec, progress } of candidates) {
    spec?.media.forEach((source, index) => {
      if (progress.files.has(index)) return;
      wanted.push({ row, index, identity: identify(view, source) });
    });
  }
  const sources: string[] = [];
  const askedFor: typeof wanted = [];
  for (const item of wanted) {
    const identity = await item.identity;
    if (identity === undefined) continue;
    sources.push(identity);
    askedFor.push(item);
  }
  const files = await context.ledger.files.findBySource(view.campaign.account, sources);
  const known = new Map<number, (readonly [number, string])[]>();
  askedFor.forEach(({ row, index }, position) => {
    const file = files[position];
    if (!file) return;
    const ofRow = known.get(row) ?? [];
    ofRow.push([index, file.fileId]);
    known.set(row, ofRow);
  });
  return known;
}

function identify(view: CampaignView, source: string): Promise<string | undefined> {
  const identities: Identities = identitiesOf.get(view) ?? new LRUCache({ max: 5000, ttl: 1000 });
  identitiesOf.set(view, identities);
  return remembered(identities, source, () => identifyMedia(source, view.campaign.mediaRoot));
}
