/** Finds given media that the service already has, so that no upload is queued for them. */
import { LRUCache } from 'lru-cache';
import { identifyMedia } from '../../media/source.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import type { ProcessorContext } from '../frame/context.ts';
import type { Candidate } from './next-rows.ts';

export type KnownFiles = readonly (readonly [index: number, fileId: string])[];

/** File identities, cached briefly: many rows of one admission share a file, and so do those of the next. */
const identities = new LRUCache<string, Promise<string | undefined>>({ max: 5000, ttl: 1000 });

/** @returns by row: position and file id of each medium that the service has. */
export async function uploadedBefore(
  context: ProcessorContext,
  view: CampaignView,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, KnownFiles>> {
  const wanted: { row: number; index: number; identity: Promise<string | undefined> }[] = [];
  for (const { row, spec, progress } of candidates) {
    spec?.media.forEach((source, index) => {
      if (progress.files.has(index)) return;
      wanted.push({ row, index, identity: identify(source, view.campaign.mediaRoot) });
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

function identify(source: string, mediaRoot: string): Promise<string | undefined> {
  const key = `${mediaRoot}\0${source}`;
  const known = identities.get(key);
  if (known) return known;
  const identity = identifyMedia(source, mediaRoot);
  identities.set(key, identity);
  identity.catch(() => identities.delete(key));
  return identity;
}
