/** Creates publishing tasks (contract, section 4.1), and lists their records, whose form is ours: the contract does not show it. */
import { randomUUID } from 'node:crypto';
import { photoPermission, videoPermission } from '../../service/contract/creators.ts';
import type { CheckedCreatorPost } from '../../service/contract/posts.ts';
import { type CreatorProfile, videoScope } from '../creators.ts';
import { badField, success } from '../http.ts';
import type { Parts } from '../parts.ts';
import type { Store, StoredFile, StoredPost } from '../store.ts';
import { refuseCreator, requireShopCreator } from './creators.ts';
import { fileUrl, type Handlers, pageOf } from './operation.ts';

/** Milliseconds that `scheduledAt` may lie in the past: clocks differ, and calls wait. */
const scheduleGrace = 60_000;

export const postHandlers: Pick<Handlers, 'createCreatorPost' | 'listPosts'> = {
  createCreatorPost(request, call, parts) {
    const { store, strict, url } = parts;
    const creator = store.creatorBy(request.creatorId);
    requireShopCreator(creator, 'creatorId');
    const refusal = refuseCreator(creator, strict ? [videoScope] : []);
    if (refusal) return refusal;
    if (request.mediaType === 'PHOTO' && !creator.permissions.includes(photoPermission))
      throw badField('creatorId', `the creator lacks ${photoPermission}`);
    const media = mediaOf(request, store);

    const doubts = [...doubtsOf(request, creator, media, call.at, parts)];
    const [doubt] = doubts;
    if (strict && doubt) throw doubt;
    const { creatorId, title, businessId, platform, scheduledAt = null } = request;
    const videoUrl = fileUrl(url, media[0]);
    const { id, postId } = store.posts.put({
      id: store.posts.size + 1,
      call: call.number,
      at: call.at,
      postId: `post_${randomUUID().replaceAll('-', '')}`,
      creatorId,
      title,
      businessId,
      videoUrl,
      scheduledAt,
      request,
      notes: doubts.map(({ message }) => message),
    });
    return success({ id, postId, platform, title, videoUrl, status: 'SCHEDULED' });
  },

  /** Newest first. */
  listPosts({ creatorId, postId, title, businessId, createdFrom = 0, status, ...page }, call, parts) {
    const fields = Object.entries({ creatorId, postId, title, businessId });
    const wanted = fields.filter(([, value]) => value !== undefined);
    const found = [...parts.store.posts.values()].reverse().filter((post) => {
      return (
        post.at >= createdFrom &&
        wanted.every(([field, value]) => post[field as keyof StoredPost] === value) &&
        (status === undefined || publishingState(post, call.at, parts.speed).status === status)
      );
    });
    const { list, ...info } = pageOf(found, page, parts);
    return success({ list: list.map((post) => describe(post, call.at, parts)), ...info });
  },
};

/** What the contract allows, though a client hardly means it. */
function* doubtsOf(
  request: CheckedCreatorPost,
  creator: CreatorProfile,
  media: readonly StoredFile[],
  now: number,
  { store, wrongAssets }: Parts,
) {
  if (request.scheduledAt !== undefined && request.scheduledAt < now - scheduleGrace)
    yield badField('scheduledAt', 'lies in the past (it is in milliseconds)');
  if (request.mediaType === 'VIDEO' && !creator.permissions.includes(videoPermission))
    yield badField('creatorId', `the creator lacks ${videoPermission}`);
  if (!creator.scopes.includes(videoScope))
    yield badField('creatorId', `the creator's authorization lacks the scope ${videoScope}`);
  const { productId = '', source } = anchorOf(request) ?? {};
  if (source === 'SHOWCASE' && !store.showcase(creator.id).has(productId)) {
    const at = request.mediaType === 'PHOTO' ? 'socialShopPhoto.productLinks[0]' : 'socialShop.productInfo';
    yield badField(`${at}.productId`, `the creator's showcase has no product ${productId}`);
  }
  for (const { fileId, hash } of media) {
    const kind = wrongAssets.get(hash);
    if (kind) yield badField('businessId', `file ${fileId} is not the result of a generation, but ${kind}`);
  }
}

function anchorOf(request: CheckedCreatorPost) {
  return request.mediaType === 'PHOTO'
    ? request.socialShopPhoto.productLinks[0]
    : request.socialShop.productInfo;
}

/** Checks every file of the post. @returns its video, or its images. */
function mediaOf(request: CheckedCreatorPost, store: Store): readonly [StoredFile, ...StoredFile[]] {
  if (request.mediaType === 'PHOTO') {
    const [first = '', ...others] = request.socialShopPhoto.businessIds;
    const image = (fileId: string, index: number) =>
      usableFile(fileId, `socialShopPhoto.businessIds[${index}]`, 'image/', store);
    return [image(first, 0), ...others.map((fileId, index) => image(fileId, index + 1))];
  }
  const { coverFileId, socialShop } = request;
  if (coverFileId !== undefined && socialShop.coverUri !== undefined) {
    const file = usableFile(String(coverFileId), 'coverFileId', 'image/', store);
    const cover = store.covers.get(socialShop.coverUri);
    if (!cover) throw badField('socialShop.coverUri', 'no cover was uploaded under this URI');
    if (cover.fileId !== file.fileId) throw badField('socialShop.coverUri', 'is the cover of another file');
  }
  return [usableFile(request.businessId, 'businessId', 'video/', store)];
}

function usableFile(fileId: string, field: string, kind: 'image/' | 'video/', store: Store): StoredFile {
  const file = /^\d{1,16}$/.test(fileId) ? store.files.get(Number(fileId)) : undefined;
  if (!file) throw badField(field, `there is no file ${fileId}`);
  if (file.state !== 'confirmed') throw badField(field, `file ${fileId} is not confirmed`);
  if (!file.contentType.toLowerCase().startsWith(kind)) {
    throw badField(field, `file ${fileId} is ${file.contentType}: it must be ${kind}*`);
  }
  return file;
}

function describe(post: StoredPost, now: number, { store, speed, url }: Parts) {
  const { id, postId, title, videoUrl, creatorId, businessId, scheduledAt, request } = post;
  const { status, publishedAt } = publishingState(post, now, speed);
  const username = store.creatorBy(creatorId)?.username ?? '';
  const photo = request.mediaType === 'PHOTO' ? request.socialShopPhoto : undefined;
  const publicUrl = `${url}/@${username}/video/${postId.slice('post_'.length)}`;
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
    publicUrl: publishedAt === undefined ? null : publicUrl,
    failureReason: status === 'FAILED' ? 'The platform did not accept the media.' : null,
  };
}

/** Milliseconds that publishing takes at speed 1. */
const duration = 10_000;

/** A post with this in its caption ends as `FAILED`. */
const failingCaption = '[publish-fail]';

/** The progress of a publishing task over time. The contract names only the status `SCHEDULED` (section 3); the others are ours. */
export function publishingState(post: StoredPost, now: number, speed: number) {
  const beginAt = Math.max(post.scheduledAt ?? post.at, post.at);
  const publishedAt = beginAt + duration / speed;
  if (now < beginAt || (post.scheduledAt === null && now === post.at)) return { status: 'SCHEDULED' };
  if (now < publishedAt) return { status: 'PUBLISHING' };
  if (post.title.includes(failingCaption)) return { status: 'FAILED' };
  return { status: 'PUBLISHED', publishedAt: Math.round(publishedAt) };
}
