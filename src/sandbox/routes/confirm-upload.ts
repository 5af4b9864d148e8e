/** Confirms an upload. The contract mentions it without its form (section 4.9); this form is ours. */
import { badField, success } from '../http/answer.ts';
import { fileUrl } from '../http/urls.ts';
import { route } from './route.ts';

export const confirmUpload = route('confirmUpload', ({ fileId }, _call, { store, url }) => {
  const file = store.files.find(fileId);
  if (!file) throw badField('fileId', 'there is no such file');
  if (file.state === 'registered') throw badField('fileId', 'its bytes have not arrived');
  if (file.state === 'stored') store.files.confirm(fileId);
  return success({ fileId, url: fileUrl(url, file) });
});
