/** The pages of drafts: their files, their sheet, and its changes. The files themselves go through `console/uploads`. */
import { draftSheets } from '../../../app/drafts/download.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { cellFormBytes, mostNamesOfAll } from '../../http/forms.ts';
import { pickerRoutes } from '../../parts/pickers.ts';
import type { Download, PageRequest, Route } from '../../request.ts';
import { aliasRoutes } from './aliases.ts';
import { absentRoutes } from './draft/absent.ts';
import { draftChanges } from './draft/actions.ts';
import { askOpenFixes } from './draft/open-fixes.ts';
import { showDraft, showFormInput, streamDraft } from './draft/page.ts';
import { readPicking } from './draft/pick.ts';
import { askRow } from './draft/row.ts';
import { askStart } from './draft/start-question.ts';
import {
  begin,
  beginFrom,
  discardRoutes,
  endUpload,
  removeFile,
  showBegin,
  template,
} from './files/begin.ts';
import { showFiles, streamFiles } from './files/page.ts';

const draft = '/campaigns/new/:draft';

/** Forms with all cells that the page shows as fields. */
const manyFields = {
  method: 'post',
  right: 'edit',
  mostNames: mostNamesOfAll,
  mostBytes: cellFormBytes,
} as const;

export const draftRoutes: readonly Route[] = [
  ...aliasRoutes,
  { method: 'get', path: '/template.:format', right: 'see', handle: template },
  { method: 'get', path: '/campaigns/new', right: 'see', handle: (request) => showBegin(request) },
  {
    method: 'post',
    path: '/campaigns/new',
    right: 'edit',
    handle: begin,
  },
  { method: 'post', path: '/campaigns/new/from-address', right: 'edit', handle: beginFrom },
  { method: 'get', path: `${draft}/files`, right: 'see', handle: showFiles },
  { method: 'get', path: `${draft}/files/events`, right: 'see', handle: streamFiles },
  {
    method: 'post',
    path: `${draft}/files/done`,
    right: 'edit',
    handle: endUpload,
  },
  { method: 'post', path: `${draft}/files/remove`, right: 'edit', handle: removeFile },
  ...discardRoutes,
  ...absentRoutes,
  { method: 'get', path: draft, right: 'see', handle: (request) => showDraft(request) },
  { method: 'get', path: `${draft}/start`, right: 'run', handle: askStart },
  { method: 'get', path: `${draft}/events`, right: 'see', handle: streamDraft },
  { method: 'get', path: `${draft}/sheet/:which`, right: 'see', handle: download },
  { method: 'get', path: `${draft}/suggestions`, right: 'edit', handle: askOpenFixes },
  { method: 'get', path: `${draft}/rows/:row`, right: 'see', handle: askRow },
  ...pickerRoutes(draft, '/:row', 'edit', readPicking),
  { ...manyFields, path: `${draft}/typed`, handle: showFormInput },
  ...draftChanges.map(
    ({ name, right, handle }): Route => ({ ...manyFields, right, path: `${draft}/${name}`, handle }),
  ),
];

async function download({ drafts, params }: PageRequest): Promise<Download> {
  const which = draftSheets.find((each) => each === params.which);
  if (which === undefined) throw new UseCaseError('draft_refused', 'there is no such sheet');
  return { kind: 'download', ...(await drafts.download(params.draft ?? '', which)) };
}
