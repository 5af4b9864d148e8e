/** Creators to choose from: those whose name contains a text. Creators that can post come first. */
import { type CreatorAccount, photoPermission, videoPermission } from '../../api/contract/creators.ts';
import { listCreators } from '../../campaigns/look-up.ts';
import { publishingAuthSource } from '../../importers/check/creators/creator-check.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Remembered } from './remembered.ts';
import { type SearchResult, search } from './search.ts';

/** Most accounts to fetch for a search: fifty calls. */
const mostSearched = 5000;

export interface PickedCreator {
  /** Text for the sheet: the username, or the `creatorId` of an account without one. */
  readonly name: string;
  readonly creatorId: string;
  readonly region: string | undefined;
  readonly tags: readonly string[];
  /** `expired`: the creator must authorize again. `other_source`: authorized in a way that cannot publish. */
  readonly state: 'valid' | 'expired' | 'other_source';
  readonly mayPostVideos: boolean;
  readonly mayPostPhotos: boolean;
}

export interface PickedCreators extends Omit<SearchResult<PickedCreator>, 'shown'> {
  readonly creators: readonly PickedCreator[];
}

const accounts = new Remembered<readonly CreatorAccount[]>();

/**
 * @param text part of a username, id or tag, in any case.
 * @throws {UseCaseError} `service_*`, `account_*`.
 */
export async function pickCreators(
  runtime: Runtime,
  account: string | undefined,
  text: string,
): Promise<PickedCreators> {
  const all = await accounts.find(runtime, account ?? '', () =>
    listCreators(runtime, {}, { account, most: mostSearched }),
  );
  const rankOf = (each: CreatorAccount, wanted: string) => rank(describe(each), wanted);
  const { shown, ...rest } = search(all, { text, namesOf, rank: rankOf, mostSearched });
  return { creators: shown.map(describe), ...rest };
}

function namesOf({ username, creatorId, id, tagNames = [] }: CreatorAccount): readonly string[] {
  return [username ?? '', creatorId, String(id), ...tagNames];
}

function describe(account: CreatorAccount): PickedCreator {
  const { username, creatorId, selectionRegion, oauthRegion, tagNames, valid, authSource, permissions } =
    account;
  const isPublishing = (authSource ?? publishingAuthSource) === publishingAuthSource;
  return {
    name: username || creatorId,
    creatorId,
    region: selectionRegion ?? oauthRegion,
    tags: tagNames ?? [],
    state: valid === false ? 'expired' : isPublishing ? 'valid' : 'other_source',
    mayPostVideos: permissions?.includes(videoPermission) ?? true,
    mayPostPhotos: permissions?.includes(photoPermission) ?? false,
  };
}

function rank({ state, name }: PickedCreator, wanted: string): number {
  return (state === 'valid' ? 0 : 2) + (name.toLowerCase().startsWith(wanted) ? 0 : 1);
}
