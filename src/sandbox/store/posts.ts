/** Publishing tasks. Nothing is recognised as a repetition: the same call twice makes two posts. */
import { randomUUID } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import type { CreateCreatorPost } from '../../api/contract/posts.ts';
import type { Database } from './database.ts';

export interface StoredPost {
  readonly id: number;
  /** Number of the call that made it. */
  readonly call: number;
  readonly at: number;
  readonly postId: string;
  readonly creatorId: string;
  readonly title: string;
  readonly businessId: string;
  readonly videoUrl: string;
  readonly scheduledAt: number | null;
  readonly request: CreateCreatorPost;
}

export interface PostFilter {
  readonly creatorId?: string | undefined;
  readonly postId?: string | undefined;
  readonly title?: string | undefined;
  readonly businessId?: string | undefined;
  readonly createdFrom?: number | undefined;
}

type Row = Omit<StoredPost, 'request'> & { readonly request: string };
const columns =
  'id, call, at, post_id AS postId, creator_id AS creatorId, title, business_id AS businessId, ' +
  'video_url AS videoUrl, scheduled_at AS scheduledAt, request';

export class Posts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(call: number, at: number, request: CreateCreatorPost, videoUrl: string): StoredPost {
    const postId = `post_${randomUUID().replaceAll('-', '')}`;
    const { creatorId, title, businessId, scheduledAt = null } = request;
    // In the order of the columns.
    const post = { call, at, postId, creatorId, title, businessId, videoUrl, scheduledAt };
    const insert = 'INSERT INTO post VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const id = this.#database.run(insert, ...Object.values(post), JSON.stringify(request));
    return { id, ...post, request };
  }

  /** One page of the posts that the filter leaves, newest first, and how many there are in all. */
  page(filter: PostFilter, offset: number, limit: number): { list: StoredPost[]; total: number } {
    const { where, values } = conditions(filter);
    const select = `SELECT ${columns} FROM post ${where} ORDER BY id DESC LIMIT ? OFFSET ?`;
    return {
      list: this.#database.all<Row>(select, ...values, limit, offset).map(readPost),
      total: this.#database.number(`SELECT count(*) FROM post ${where}`, ...values),
    };
  }

  all(): StoredPost[] {
    return this.#database.all<Row>(`SELECT ${columns} FROM post ORDER BY id`).map(readPost);
  }
}

function conditions(filter: PostFilter): { where: string; values: SQLInputValue[] } {
  const given: [string, SQLInputValue | undefined][] = [
    ['creator_id = ?', filter.creatorId],
    ['post_id = ?', filter.postId],
    ['title = ?', filter.title],
    ['business_id = ?', filter.businessId],
    ['at >= ?', filter.createdFrom],
  ];
  const used = given.filter((condition): condition is [string, SQLInputValue] => condition[1] !== undefined);
  const where = used.length > 0 ? `WHERE ${used.map(([condition]) => condition).join(' AND ')}` : '';
  return { where, values: used.map(([, value]) => value) };
}

function readPost(row: Row): StoredPost {
  return { ...row, request: JSON.parse(row.request) };
}
