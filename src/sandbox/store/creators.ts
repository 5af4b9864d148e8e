/** Creator accounts (contract, section 2.1), with what the contract lets only be felt: scopes, and an expired authorization. */
import type { SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import {
  authSources,
  type ListCreatorAccounts,
  photoPermission,
  videoPermission,
} from '../../api/contract/creators.ts';
import type { Database } from './database.ts';

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

interface Row {
  readonly profile: string;
}

type Filter = Omit<ListCreatorAccounts, 'pageSize' | 'pageNumber'>;

export class Creators {
  readonly #database: Database;
  /** Profiles by both of their ids: they are read by every publishing call, and are few. */
  readonly #byId = new Map<number, CreatorProfile>();
  readonly #byCreatorId = new Map<string, CreatorProfile>();

  constructor(database: Database) {
    this.#database = database;
    for (const row of database.all<Row>('SELECT profile FROM creator')) this.#remember(readProfile(row));
  }

  /** Adds creators, or replaces those of the same `id`. */
  put(profiles: readonly CreatorProfile[]): void {
    this.#database.transaction(() => {
      for (const profile of profiles) {
        const { id, creatorId, username, valid, authSource, selectionRegion, permissions } = profile;
        const photo = Number(permissions.includes(photoPermission));
        const values = [Number(valid), authSource, selectionRegion, photo, JSON.stringify(profile)];
        const insert = 'INSERT OR REPLACE INTO creator VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
        this.#database.run(insert, id, creatorId, username, ...values);
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
    const select = `SELECT profile FROM creator ${where} ORDER BY id LIMIT ? OFFSET ?`;
    return {
      list: this.#database.all<Row>(select, ...values, limit, offset).map(readProfile),
      total: this.#database.number(`SELECT count(*) FROM creator ${where}`, ...values),
    };
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
