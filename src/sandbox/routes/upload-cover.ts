/** Uploads a video cover. The contract mentions it without its form (section 4.9); this form is ours. */
import { randomBytes } from 'node:crypto';
import { badField, success } from '../http/answer.ts';
import type { FormFile } from '../http/read-body.ts';
import { contractHash } from '../storage.ts';
import type { StoredFile } from '../store/files.ts';
import { refuseCreator } from './creator-authorization.ts';
import { type CallFacts, route, type Surroundings } from './route.ts';

export const uploadCover = route('uploadCover', ({ id, fileId, file: form }, call, surroundings) => {
  const { store } = surroundings;
  const creator = id === undefined ? undefined : store.creators.byId(id);
  if (id !== undefined && !creator) throw badField('id', 'there is no such creator');
  const refusal = creator && refuseCreator(creator, []);
  if (refusal) return refusal;
  const file = form
    ? keepForm(form, call, surroundings)
    : fileId === undefined
      ? undefined
      : store.files.find(fileId);
  if (!file) throw badField('fileId', 'there is no such file');
  if (file.state !== 'confirmed') throw badField('fileId', 'the file is not confirmed');
  if (!file.contentType.toLowerCase().startsWith('image/'))
    throw badField('fileId', `is ${file.contentType}: it must be an image`);
  const uri = `cover/${randomBytes(12).toString('hex')}`;
  store.covers.add({ uri, call: call.number, at: call.at, fileId: file.fileId });
  return success({ uri, fileId: file.fileId });
});

/** Stores the bytes of form data as a confirmed file, so that a post can refer to it. */
function keepForm(form: FormFile, call: CallFacts, { store, storage }: Surroundings): StoredFile | undefined {
  if (form.bytes.length === 0) throw badField('file', 'is empty');
  const hash = contractHash(form.bytes);
  const known = store.files.known(hash);
  if (known) return known;
  const { name: fileName, contentType, bytes } = form;
  const file = store.files.register(call.number, call.at, {
    fileName,
    contentType,
    size: bytes.length,
    hash,
  });
  storage.keep(file, bytes);
  store.files.confirm(file.fileId);
  return store.files.find(file.fileId);
}
