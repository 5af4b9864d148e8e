/** Publishing records. The contract refers to them without showing them (section 4.9): this form is ours. */
import { success } from '../answer.ts';
import { publishingState } from '../publishing-clock.ts';
import type { StoredPost } from '../store/posts.ts';
import { publicUrl } from '../urls.ts';
import { pageBounds, pageInfo } from './pages.ts';
import { route, type Surroundings } from './route.ts';

export const listPosts = route('listPosts', (request, call, surroundings) => {
  const found = surroundings.store.posts.find(request).map((post) => describe(post, call.at, surroundings));
  const list = request.status === undefined ? found : found.filter((post) => post.status === request.status);
  const { offset, limit } = pageBounds(request, surroundings.maxPageSize);
  return success({ list: list.slice(offset, offset + limit), ...pageInfo(request, limit, list.length) });
});

function describe(post: StoredPost, now: number, { store, speed, url }: Surroundings) {
  const { id, postId, title, videoUrl, creatorId, businessId, scheduledAt, request } = post;
  const { status, publishedAt } = publishingState(post, now, speed);
  const username = store.creators.byCreatorId(creatorId)?.username ?? '';
  const photo = request.mediaType === 'PHOTO' ? request.socialShopPhoto : undefined;
  const product =
    request.mediaType === 'PHOTO' ? request.socialShopPhoto.productLinks[0] : request.socialShop.productInfo;
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
    productId: product?.productId ?? '',
    scheduledAt,
    createdAt: post.at,
    publishedAt: publishedAt ?? null,
    publicUrl: publishedAt === undefined ? null : publicUrl(url, username, post),
  };
}
