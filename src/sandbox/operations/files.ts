/** Uploads (contract, section 4.6), their confirmation and covers. Of the latter two the contract does not show the form; it is ours. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FormFile } from '../description/operations.ts';
import { faultOf } from '../faults/schema.ts';
import { badField, success } from '../http.ts';
import type { Parts } from '../parts.ts';
import { contractHash } from '../storage.ts';
import type { StoredFile } from '../store.ts';
import { refuseCreator } from './creators.ts';
import { type CallFacts, fileUrl, type Handlers } from './operation.ts';

export const fileHandlers: Pick<Handlers, 'createFileUpload' | 'confirmUpload' | 'uploadCover'> = {
  createFileUpload(request, call, { store, storage, url, presignLifetime }) {
    const { hash, fileName: name, contentType, size } = request;
    const known = store.confirmedFile(hash);
    const file = known ?? store.register({ call: call.number, at: call.at, hash, name, contentType, size });
    const fault = faultOf(call, 'presign-expired');
    const promised = call.at + presignLifetime;
    const expiresAt = fault ? call.at - 1 : promised;
    return success({
      fileId: file.fileId,
      uploadUrl: url + storage.presign(file.fileId, expiresAt),
      url: fileUrl(url, file),
      isNew: known === undefined,
      expiresAt: new Date(fault?.announced === false ? promised : expiresAt).toISOString(),
    });
  },

  confirmUpload({ fileId }, _call, { store, url }) {
    const file = store.files.get(fileId);
    if (!file) throw badField('fileId', 'there is no such file');
    if (file.state === 'registered') throw badField('fileId', 'its bytes have not arrived');
    if (file.state === 'stored') store.confirm(file);
    return success({ fileId, url: fileUrl(url, file) });
  },

  async uploadCover({ id, fileId = 0, file: form }, call, parts) {
    const { store } = parts;
    const creator = id === undefined ? undefined : store.creators.get(id);
    if (id !== undefined && !creator) throw badField('id', 'there is no such creator');
    const refusal = creator && refuseCreator(creator, []);
    if (refusal) return refusal;
    const file = form ? await keepForm(form, call, parts) : store.files.get(fileId);
    if (!file) throw badField('fileId', 'there is no such file');
    if (file.state !== 'confirmed') throw badField('fileId', 'the file is not confirmed');
    if (!file.contentType.toLowerCase().startsWith('image/'))
      throw badField('fileId', `is ${file.contentType}: it must be an image`);
    const uri = `cover/${randomBytes(12).toString('hex')}`;
    store.covers.put({ uri, call: call.number, at: call.at, fileId: file.fileId });
    return success({ uri, fileId: file.fileId });
  },
};

/** Stores the bytes of form data as a confirmed file, so that a post can refer to it. */
async function keepForm(form: FormFile, call: CallFacts, parts: Parts): Promise<StoredFile> {
  const { store, storage } = parts;
  const { name, contentType, bytes } = form;
  const size = bytes.length;
  if (size === 0) throw badField('file', 'is empty');
  const hash = contractHash(bytes);
  const known = store.confirmedFile(hash);
  if (known) return known;
  const file = store.register({ call: call.number, at: call.at, hash, name, contentType, size });
  await storage.keep(file, Readable.from([bytes]));
  return store.confirm(file);
}
