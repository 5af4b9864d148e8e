/** Creates a publishing task (contract, section 4.1). Not idempotent: a repeated call makes another post. */

import { photoPermission, videoPermission } from '../../api/contract/creators.ts';
import type { CheckedCreatorPost } from '../../api/contract/posts.ts';
import { badField, type Refusal, success } from '../http/answer.ts';
import { fileUrl } from '../http/urls.ts';
import { type CreatorProfile, videoScope } from '../store/creators.ts';
import type { StoredFile } from '../store/files.ts';
import { anchorOf } from '../store/posts.ts';
import type { Store } from '../store/store.ts';
import { refuseCreator, requireShopCreator } from './creator-authorization.ts';
import { route, type Surroundings } from './route.ts';

/** Milliseconds that `scheduledAt` may lie in the past: clocks differ, and calls wait. */
const scheduleGrace = 60_000;

export const createCreatorPost = route('createCreatorPost', (request, call, surroundings) => {
  const { store, strict, url } = surroundings;
  const creator = store.creators.byCreatorId(request.creatorId);
  requireShopCreator(creator, 'creatorId');
  const refusal = refuseCreator(creator, [videoScope]);
  if (refusal) return refusal;
  if (request.mediaType === 'PHOTO' && !creator.permissions.includes(photoPermission))
    throw badField('creatorId', `the creator lacks ${photoPermission}`);
  const media = mediaOf(request, store);

  const doubts = [...doubtsOf(request, creator, call.at, store), ...wrongAssets(media, surroundings)];
  const [doubt] = doubts;
  if (strict && doubt) throw doubt;
  const notes = doubts.map(({ message }) => message);
  const post = store.posts.add(call.number, call.at, request, fileUrl(url, media[0]), notes);
  const { id, postId, title, videoUrl } = post;
  return success({ id, postId, platform: request.platform, title, videoUrl, status: 'SCHEDULED' });
});

/** What the contract allows, though a client hardly means it. */
function* doubtsOf(request: CheckedCreatorPost, creator: CreatorProfile, now: number, store: Store) {
  if (request.scheduledAt !== undefined && request.scheduledAt < now - scheduleGrace)
    yield badField('scheduledAt', 'lies in the past (it is in milliseconds)');
  if (request.mediaType === 'VIDEO' && !creator.permissions.includes(videoPermission))
    yield badField('creatorId', `the creator lacks ${videoPermission}`);
  const { productId = '', source } = anchorOf(request) ?? {};
  if (source === 'SHOWCASE' && !store.showcases.has(creator.id, productId)) {
    const at = request.mediaType === 'PHOTO' ? 'socialShopPhoto.productLinks[0]' : 'socialShop.productInfo';
    yield badField(`${at}.productId`, `the creator's showcase has no product ${productId}`);
  }
}

/** The files of the post that a generation gave out beside its result. */
function wrongAssets(media: readonly StoredFile[], surroundings: Surroundings): Refusal[] {
  return media.flatMap(({ fileId, hash }) => {
    const kind = surroundings.wrongAssets.get(hash);
    return kind
      ? [badField('businessId', `file ${fileId} is not the result of a generation, but ${kind}`)]
      : [];
  });
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
    const cover = store.covers.find(socialShop.coverUri);
    if (!cover) throw badField('socialShop.coverUri', 'no cover was uploaded under this URI');
    if (cover.fileId !== file.fileId) throw badField('socialShop.coverUri', 'is the cover of another file');
  }
  return [usableFile(request.businessId, 'businessId', 'video/', store)];
}

function usableFile(fileId: string, field: string, kind: 'image/' | 'video/', store: Store): StoredFile {
  const file = /^\d{1,16}$/.test(fileId) ? store.files.find(Number(fileId)) : undefined;
  if (!file) throw badField(field, `there is no file ${fileId}`);
  if (file.state !== 'confirmed') throw badField(field, `file ${fileId} is not confirmed`);
  if (!file.contentType.toLowerCase().startsWith(kind)) {
    throw badField(field, `file ${fileId} is ${file.contentType}: it must be ${kind}*`);
  }
  return file;
}
