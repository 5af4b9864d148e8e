/** Publishing tasks. Repetitions are not detected: the same call twice makes two posts. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { CheckedCreatorPost } from '../../api/contract/posts.ts';
import type { apiOperations } from '../description/operations.ts';
import { Table } from './database.ts';

/** A post that a sandbox has. */
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
  readonly request: CheckedCreatorPost;
  /** What is wrong with it, though the contract allows it. Empty if the sandbox is strict. */
  readonly notes: readonly string[];
}

/** The product that a post links to. */
export function anchorOf(request: CheckedCreatorPost) {
  return request.mediaType === 'PHOTO'
    ? request.socialShopPhoto.productLinks[0]
    : request.socialShop.productInfo;
}

type Filter = Omit<z.output<typeof apiOperations.listPosts.request>, 'pageSize' | 'pageNumber' | 'status'>;

type Row = Omit<StoredPost, 'request' | 'notes'> & { readonly request: string; readonly notes: string };
const columns =
  'id, call, at, post_id AS postId, creator_id AS creatorId, title, business_id AS businessId, ' +
  'video_url AS videoUrl, scheduled_at AS scheduledAt, request, notes';

export class Posts extends Table {
  add(
    call: number,
    at: number,
    request: CheckedCreatorPost,
    videoUrl: string,
    notes: readonly string[],
  ): StoredPost {
    const postId = `post_${randomUUID().replaceAll('-', '')}`;
    const { creatorId, title, businessId, scheduledAt = null } = request;
    // In the order of the columns.
    const post = { call, at, postId, creatorId, title, businessId, videoUrl, scheduledAt };
    const insert = 'INSERT INTO post VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
    const texts = [JSON.stringify(request), JSON.stringify(notes)];
    const id = this.database.run(insert, ...Object.values(post), ...texts);
    return { id, ...post, request, notes };
  }

  /** One page of the posts that match the filter, newest first, and how many match in all. */
  page(filter: Filter, offset: number, limit: number): { list: StoredPost[]; total: number } {
    const conditions = {
      'creator_id = ?': filter.creatorId,
      'post_id = ?': filter.postId,
      'title = ?': filter.title,
      'business_id = ?': filter.businessId,
      'at >= ?': filter.createdFrom,
    };
    const source = { columns, table: 'post', order: 'id DESC' };
    const { list, total } = this.database.page<Row>(source, conditions, offset, limit);
    return { list: list.map(readPost), total };
  }

  /** Makes a post older. */
  backdate(postId: string, milliseconds: number): void {
    this.database.run('UPDATE post SET at = at - ? WHERE post_id = ?', milliseconds, postId);
  }

  all(): StoredPost[] {
    return this.database.all<Row>(`SELECT ${columns} FROM post ORDER BY id`).map(readPost);
  }
}

function readPost(row: Row): StoredPost {
  return { ...row, request: JSON.parse(row.request), notes: JSON.parse(row.notes) };
}
