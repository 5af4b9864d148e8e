/** Creator accounts (contract, section 2.1), with what the contract lets only be felt: scopes, and an expired authorization. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import {
  authSources,
  type ListCreatorAccounts,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import { transaction } from './database.ts';

export const showcaseScope = 'creator.showcase.write';
export const videoScope = 'creator.video.write';

/** A creator as tests and the admin address hand it in; everything but the three names has a default. */
export const creatorProfile = z.strictObject({
  /** Account table id: showcase operations. */
  id: z.int().positive(),
  /** Creator id: publishing. */
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
  /** Looks valid, but showcase and publishing answer 40101. */
  expired: z.boolean().default(false),
  scopes: z.array(z.string()).default([showcaseScope, videoScope]),
});

export type CreatorProfile = z.output<typeof creatorProfile>;
export type CreatorProfileInput = z.input<typeof creatorProfile>;

type Filter = Omit<ListCreatorAccounts, 'pageSize' | 'pageNumber'>;

export class Creators {
  readonly #database: DatabaseSync;
  /** Profiles by both of their ids: they are read by every publishing call, and are few. */
  readonly #byId = new Map<number, CreatorProfile>();
  readonly #byCreatorId = new Map<string, CreatorProfile>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    for (const row of database.prepare('SELECT profile FROM creator').all()) {
      this.#remember(JSON.parse(String(row.profile)) as CreatorProfile);
    }
  }

  /** Adds creators, or replaces those of the same `id`. */
  put(profiles: readonly CreatorProfile[]): void {
    const insert = this.#database.prepare('INSERT OR REPLACE INTO creator VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    transaction(this.#database, () => {
      for (const profile of profiles) {
        const photo = profile.permissions.includes(photoPermission);
        insert.run(
          profile.id,
          profile.creatorId,
          profile.username,
          Number(profile.valid),
          profile.authSource,
          profile.selectionRegion,
          Number(photo),
          JSON.stringify(profile),
        );
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

  /** One page of those that the filter leaves, by account id, and how many there are in all. */
  page(filter: Filter, offset: number, limit: number): { list: CreatorProfile[]; total: number } {
    const { where, values } = conditions(filter);
    const count = this.#database.prepare(`SELECT count(*) AS total FROM creator ${where}`).get(...values);
    const rows = this.#database
      .prepare(`SELECT profile FROM creator ${where} ORDER BY id LIMIT ? OFFSET ?`)
      .all(...values, limit, offset);
    return {
      list: rows.map((row) => JSON.parse(String(row.profile)) as CreatorProfile),
      total: Number(count?.total),
    };
  }

  #remember(profile: CreatorProfile): void {
    const former = this.#byId.get(profile.id);
    if (former) this.#byCreatorId.delete(former.creatorId);
    this.#byId.set(profile.id, profile);
    this.#byCreatorId.set(profile.creatorId, profile);
  }
}

function conditions(filter: Filter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const equals = (column: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return;
    parts.push(`${column} = ?`);
    values.push(value);
  };
  // `valid` is documented as "only valid authorizations": false asks for nothing.
  equals('valid', filter.valid === true ? 1 : undefined);
  equals('auth_source', filter.authSource);
  equals('selection_region', filter.selectionRegion);
  equals('photo', filter.hasPhotoPermission === true ? 1 : undefined);
  if (filter.usernames && filter.usernames.length > 0) {
    parts.push(`username IN (${filter.usernames.map(() => '?').join(', ')})`);
    values.push(...filter.usernames);
  }
  return { where: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
}
