/** Lists publishing records. The contract mentions them without their form (section 4.9); this form is ours. */

import { publishingState } from '../clocks/publishing-clock.ts';
import { success } from '../http/answer.ts';
import { publicUrl } from '../http/urls.ts';
import { anchorOf, type StoredPost } from '../store/posts.ts';
import { pageBounds, pageInfo } from './pages.ts';
import { route, type Surroundings } from './route.ts';

export const listPosts = route('listPosts', (request, call, surroundings) => {
  const { store } = surroundings;
  const { offset, limit } = pageBounds(request, surroundings);
  const shown = (post: StoredPost) => describe(post, call.at, surroundings);
  if (request.status === undefined) {
    const { list, total } = store.posts.page(request, offset, limit);
    return success({ list: list.map(shown), ...pageInfo(request, limit, total) });
  }
  // The status depends on the time and is not stored, so all posts must be read.
  const everything = store.posts.page(request, 0, Number.MAX_SAFE_INTEGER).list.map(shown);
  const list = everything.filter((post) => post.status === request.status);
  return success({ list: list.slice(offset, offset + limit), ...pageInfo(request, limit, list.length) });
});

function describe(post: StoredPost, now: number, { store, speed, url }: Surroundings) {
  const { id, postId, title, videoUrl, creatorId, businessId, scheduledAt, request } = post;
  const { status, publishedAt } = publishingState(post, now, speed);
  const username = store.creators.byCreatorId(creatorId)?.username ?? '';
  const photo = request.mediaType === 'PHOTO' ? request.socialShopPhoto : undefined;
  return {
    id,
    postId,
    platform: request.platform,
    title,
    videoUrl,
    status,
    mediaType: request.mediaType,
    creatorId,
    username,
    businessId,
    businessIds: photo?.businessIds ?? [businessId],
    productId: anchorOf(request)?.productId ?? '',
    scheduledAt,
    createdAt: post.at,
    publishedAt: publishedAt ?? null,
    publicUrl: publishedAt === undefined ? null : publicUrl(url, username, post),
    failureReason: status === 'FAILED' ? 'The platform did not take the media.' : null,
  };
}
