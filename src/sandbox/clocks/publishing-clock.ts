/** The progress of a publishing task over time. The contract names only the status `SCHEDULED` (section 3); the others are ours. */
import type { StoredPost } from '../store/posts.ts';

/** Milliseconds that publishing takes at speed 1. */
const duration = 10_000;

/** A post with this in its caption ends as `FAILED`. */
export const failingCaption = '[publish-fail]';

export interface PublishingState {
  readonly status: 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED' | 'FAILED';
  /** Milliseconds; for published posts only. */
  readonly publishedAt: number | undefined;
}

export function publishingState(post: StoredPost, now: number, speed: number): PublishingState {
  const beginAt = Math.max(post.scheduledAt ?? post.at, post.at);
  const publishedAt = beginAt + duration / speed;
  if (now < beginAt || (post.scheduledAt === null && now === post.at)) {
    return { status: 'SCHEDULED', publishedAt: undefined };
  }
  if (now < publishedAt) return { status: 'PUBLISHING', publishedAt: undefined };
  return post.title.includes(failingCaption)
    ? { status: 'FAILED', publishedAt: undefined }
    : { status: 'PUBLISHED', publishedAt: Math.round(publishedAt) };
}
