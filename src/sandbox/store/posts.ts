/** Publishing tasks. Nothing is recognised as a repetition: the same call twice makes two posts. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { CreateCreatorPost } from '../../api/contract/posts.ts';

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

const columns =
  'id, call, at, post_id AS postId, creator_id AS creatorId, title, business_id AS businessId, ' +
  'video_url AS videoUrl, scheduled_at AS scheduledAt, request';

export class Posts {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO post VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  add(call: number, at: number, request: CreateCreatorPost, videoUrl: string): StoredPost {
    const postId = `post_${randomUUID().replaceAll('-', '')}`;
    const { creatorId, title, businessId } = request;
    const scheduledAt = request.scheduledAt ?? null;
    const content = JSON.stringify(request);
    const { lastInsertRowid } = this.#insert.run(
      call,
      at,
      postId,
      creatorId,
      title,
      businessId,
      videoUrl,
      scheduledAt,
      content,
    );
    return {
      id: Number(lastInsertRowid),
      call,
      at,
      postId,
      creatorId,
      title,
      businessId,
      videoUrl,
      scheduledAt,
      request,
    };
  }

  /** One page of the posts that the filter leaves, newest first, and how many there are in all. */
  page(filter: PostFilter, offset: number, limit: number): { list: StoredPost[]; total: number } {
    const { where, values } = conditions(filter);
    const count = this.#database.prepare(`SELECT count(*) AS total FROM post ${where}`).get(...values);
    const rows = this.#database
      .prepare(`SELECT ${columns} FROM post ${where} ORDER BY id DESC LIMIT ? OFFSET ?`)
      .all(...values, limit, offset);
    return { list: rows.map(readPost), total: Number(count?.total) };
  }

  all(): StoredPost[] {
    return this.#database.prepare(`SELECT ${columns} FROM post ORDER BY id`).all().map(readPost);
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

function readPost(row: Record<string, unknown>): StoredPost {
  return { ...row, request: JSON.parse(String(row.request)) } as unknown as StoredPost;
}
