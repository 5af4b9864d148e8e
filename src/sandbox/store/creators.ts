/** Creator accounts (contract, section 2.1), with scopes and expiry, which the contract shows only by refusals. */
import { z } from 'zod';
import {
  authSources,
  type ListCreatorAccounts,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import { type Database, Table } from './database.ts';

export const showcaseScope = 'creator.showcase.write';
export const videoScope = 'creator.video.write';

/** A creator as tests and the admin address give it; all but the first three fields have defaults. */
export const creatorProfile = z.strictObject({
  /** Account table id, for showcase operations. */
  id: z.int().positive(),
  /** For publishing. */
  creatorId: z.string().min(1),
  username: z.string().min(1),
  authSource: z.enum(authSources).default('SOCIAL_SHOP_CREATOR'),
  oauthRegion: z.string().default('US'),
  registerRegion: z.string().default('US'),
  selectionRegion: z.string().default('US'),
  targetMarket: z.string().default('US'),
  valid: z.boolean().default(true),
  tagNames: z.array(z.string()).default([]),
  permissions: z.array(z.string()).default([videoPermission, photoPermission]),
  /** Shown as valid, but every operation of the creator answers 40101. */
  expired: z.boolean().default(false),
  scopes: z.array(z.string()).default([showcaseScope, videoScope]),
});

/** A creator of a sandbox. */
export type CreatorProfile = z.output<typeof creatorProfile>;
/** A creator to add to a sandbox; what is left out has a default. */
export type CreatorProfileInput = z.input<typeof creatorProfile>;

interface Row {
  readonly profile: string;
}

type Filter = Omit<ListCreatorAccounts, 'pageSize' | 'pageNumber'>;

export class Creators extends Table {
  /** Few profiles, which every publishing call reads. */
  readonly #byId = new Map<number, CreatorProfile>();
  readonly #byCreatorId = new Map<string, CreatorProfile>();

  constructor(database: Database) {
    super(database);
    for (const row of database.all<Row>('SELECT profile FROM creator')) this.#remember(readProfile(row));
  }

  /** Adds creators, or replaces those with the same `id`. */
  put(profiles: readonly CreatorProfile[]): void {
    this.database.transaction(() => {
      for (const profile of profiles) {
        const { id, creatorId, username, valid, authSource, selectionRegion, permissions } = profile;
        const photo = Number(permissions.includes(photoPermission));
        const values = [Number(valid), authSource, selectionRegion, photo, JSON.stringify(profile)];
        const insert = 'INSERT OR REPLACE INTO creator VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
        this.database.run(insert, id, creatorId, username, ...values);
      }
    });
    for (const profile of profiles) this.#remember(profile);
  }

  byId(id: number): CreatorProfile | undefined {
    return this.#byId.get(id);
  }

  byCreatorId(creatorId: string): CreatorProfile | undefined {
    return this.#byCreatorId.get(creatorId);
  }

  isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  all(): CreatorProfile[] {
    return [...this.#byId.values()];
  }

  /** One page of the creators that match the filter, by account id, and how many match in all. */
  page(filter: Filter, offset: number, limit: number): { list: CreatorProfile[]; total: number } {
    const conditions = {
      // `valid` is documented as "only valid authorizations", so false filters nothing.
      'valid = ?': filter.valid ? 1 : undefined,
      'auth_source = ?': filter.authSource,
      'selection_region = ?': filter.selectionRegion,
      'photo = ?': filter.hasPhotoPermission ? 1 : undefined,
      'username IN (SELECT value FROM json_each(?))': filter.usernames && JSON.stringify(filter.usernames),
    };
    const source = { columns: 'profile', table: 'creator', order: 'id' };
    const { list, total } = this.database.page<Row>(source, conditions, offset, limit);
    return { list: list.map(readProfile), total };
  }

  #remember(profile: CreatorProfile): void {
    const former = this.#byId.get(profile.id);
    if (former) this.#byCreatorId.delete(former.creatorId);
    this.#byId.set(profile.id, profile);
    this.#byCreatorId.set(profile.creatorId, profile);
  }
}

function readProfile({ profile }: Row): CreatorProfile {
  return JSON.parse(profile);
}
