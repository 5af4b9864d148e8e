/** Presigns an upload (contract, section 4.6). */
import { success } from '../http/answer.ts';
import { fileUrl } from '../http/urls.ts';
import { faultOf, route } from './route.ts';

export const createFileUpload = route(
  'createFileUpload',
  (request, call, { store, storage, url, presignLifetime }) => {
    const known = store.files.known(request.hash);
    const file = known ?? store.files.register(call.number, call.at, request);
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
);
