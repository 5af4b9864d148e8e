/** Pages for the files of drafts. The files themselves go through `console/uploads`. */
import type { Route } from '../../../request.ts';
import { askDiscard, discard, endUpload, removeFile } from './actions.ts';
import { begin, showBegin } from './begin.ts';
import { showFiles, streamFiles } from './page.ts';
import { template } from './template.ts';

const draft = '/campaigns/new/:draft';

export const draftFilesRoutes: readonly Route[] = [
  { method: 'get', path: '/template.:format', role: 'viewer', handle: template },
  { method: 'get', path: '/campaigns/new', role: 'viewer', handle: showBegin },
  {
    method: 'post',
    path: '/campaigns/new',
    role: 'operator',
    handle: begin,
    audit: () => 'A draft was begun.',
  },
  { method: 'get', path: `${draft}/files`, role: 'viewer', handle: showFiles },
  { method: 'get', path: `${draft}/files/events`, role: 'viewer', handle: streamFiles },
  {
    method: 'post',
    path: `${draft}/files/done`,
    role: 'operator',
    handle: endUpload,
    audit: () => 'Files of a draft were uploaded.',
  },
  { method: 'post', path: `${draft}/files/remove`, role: 'operator', handle: removeFile },
  { method: 'get', path: `${draft}/discard`, role: 'operator', handle: askDiscard },
  { method: 'post', path: `${draft}/discard`, role: 'operator', handle: discard },
];
