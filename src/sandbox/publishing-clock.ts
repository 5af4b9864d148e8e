/** How a publishing task goes on in time. All names but `SCHEDULED` are ours: the contract does not show them (section 3). */
import type { StoredPost } from './store/posts.ts';

/** Milliseconds from the time of publishing to its end, at speed 1. */
const duration = 10_000;

/** A caption with this in it ends as `FAILED`. */
export const failingCaption = '[publish-fail]';

export interface PublishingState {
  readonly status: 'SCHEDULED' | 'PUBLISHING' | 'PUBLISHED' | 'FAILED';
  /** Milliseconds; where it is published. */
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
