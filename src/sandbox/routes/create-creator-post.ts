/** Creates a publishing task (contract, section 4.1). Not idempotent: a repeated call makes another post. */

import { photoPermission, videoPermission } from '../../api/contract/creators.ts';
import type { CheckedCreatorPost } from '../../api/contract/posts.ts';
import { isTimeZone } from '../../api/contract/time-zone.ts';
import { badField, success } from '../http/answer.ts';
import { fileUrl } from '../http/urls.ts';
import { videoScope } from '../store/creators.ts';
import type { StoredFile } from '../store/files.ts';
import type { Store } from '../store/store.ts';
import { refuseCreator, requireShopCreator } from './creator-authorization.ts';
import { route } from './route.ts';

/** Milliseconds that `scheduledAt` may lie in the past: clocks differ, and calls wait. */
const scheduleGrace = 60_000;

export const createCreatorPost = route('createCreatorPost', (request, call, { store, url }) => {
  const creator = store.creators.byCreatorId(request.creatorId);
  requireShopCreator(creator, 'creatorId');
  const refusal = refuseCreator(creator, [videoScope]);
  if (refusal) return refusal;
  const permission = request.mediaType === 'PHOTO' ? photoPermission : videoPermission;
  if (!creator.permissions.includes(permission))
    throw badField('creatorId', `the creator lacks ${permission}`);

  checkSchedule(request, call.at);
  const media = checkMedia(request, store);
  const post = store.posts.add(call.number, call.at, request, fileUrl(url, media));
  const { id, postId, title, videoUrl } = post;
  return success({ id, postId, platform: request.platform, title, videoUrl, status: 'SCHEDULED' });
});

function checkSchedule({ scheduledAt, scheduledTz }: CheckedCreatorPost, now: number): void {
  if (scheduledAt !== undefined && scheduledAt < now - scheduleGrace) {
    throw badField('scheduledAt', 'lies in the past (it is in milliseconds)');
  }
  if (scheduledTz !== undefined && !isTimeZone(scheduledTz))
    throw badField('scheduledTz', 'is not an IANA time zone');
}

/** Checks every file of the post. @returns the first. */
function checkMedia(request: CheckedCreatorPost, store: Store): StoredFile {
  if (request.mediaType === 'PHOTO') {
    for (const [index, fileId] of request.socialShopPhoto.businessIds.entries()) {
      usableFile(fileId, `socialShopPhoto.businessIds[${index}]`, 'image/', store);
    }
    return usableFile(request.businessId, 'businessId', 'image/', store);
  }
  const { coverFileId, socialShop } = request;
  if (coverFileId !== undefined && socialShop.coverUri !== undefined) {
    const file = usableFile(String(coverFileId), 'coverFileId', 'image/', store);
    const cover = store.covers.find(socialShop.coverUri);
    if (!cover) throw badField('socialShop.coverUri', 'no cover was uploaded under this URI');
    if (cover.fileId !== file.fileId) throw badField('socialShop.coverUri', 'is the cover of another file');
  }
  return usableFile(request.businessId, 'businessId', 'video/', store);
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
