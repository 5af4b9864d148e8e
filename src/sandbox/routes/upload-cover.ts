/** Upload of a video cover. The contract refers to it without showing it (section 4.9): this form is ours. */
import { randomBytes } from 'node:crypto';
import { badField, success } from '../answer.ts';
import { route } from './route.ts';

export const uploadCover = route('uploadCover', ({ id, fileId }, call, { store }) => {
  if (id !== undefined && !store.creators.byId(id)) throw badField('id', 'there is no such creator');
  const file = store.files.find(fileId);
  if (!file) throw badField('fileId', 'there is no such file');
  if (file.state !== 'confirmed') throw badField('fileId', 'the file is not confirmed');
  if (!file.contentType.startsWith('image/'))
    throw badField('fileId', `is ${file.contentType}: it must be an image`);
  const uri = `cover/${randomBytes(12).toString('hex')}`;
  store.covers.add({ uri, call: call.number, at: call.at, fileId });
  return success({ uri, fileId });
});
