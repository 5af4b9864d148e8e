/** The pages of drafts: their files, their sheet, and its changes. The files themselves go through `console/uploads`. */
import { draftSheets } from '../../../app/drafts/download.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { mostNamesOfAll } from '../../http/forms.ts';
import { pickerRoutes } from '../../parts/pickers.ts';
import type { Download, PageRequest, Route } from '../../request.ts';
import { aliasRoutes } from './aliases.ts';
import { draftChanges } from './draft/actions.ts';
import { showDraft, showFormInput, streamDraft } from './draft/page.ts';
import { readPicking } from './draft/pick.ts';
import { askRow } from './draft/row.ts';
import { askStart } from './draft/start-question.ts';
import { discardRoutes, endUpload, removeFile } from './files/actions.ts';
import { begin, beginFrom, showBegin, template } from './files/begin.ts';
import { showFiles, streamFiles } from './files/page.ts';

const draft = '/campaigns/new/:draft';

/** Forms with all cells that the page shows as fields. */
const manyFields = { method: 'post', role: 'operator', mostNames: mostNamesOfAll } as const;

export const draftRoutes: readonly Route[] = [
  ...aliasRoutes,
  { method: 'get', path: '/template.:format', role: 'viewer', handle: template },
  { method: 'get', path: '/campaigns/new', role: 'viewer', handle: (request) => showBegin(request) },
  {
    method: 'post',
    path: '/campaigns/new',
    role: 'operator',
    handle: begin,
  },
  { method: 'post', path: '/campaigns/new/from-address', role: 'operator', handle: beginFrom },
  { method: 'get', path: `${draft}/files`, role: 'viewer', handle: showFiles },
  { method: 'get', path: `${draft}/files/events`, role: 'viewer', handle: streamFiles },
  {
    method: 'post',
    path: `${draft}/files/done`,
    role: 'operator',
    handle: endUpload,
  },
  { method: 'post', path: `${draft}/files/remove`, role: 'operator', handle: removeFile },
  ...discardRoutes,
  { method: 'get', path: draft, role: 'viewer', handle: (request) => showDraft(request) },
  { method: 'get', path: `${draft}/start`, role: 'operator', handle: askStart },
  { method: 'get', path: `${draft}/events`, role: 'viewer', handle: streamDraft },
  { method: 'get', path: `${draft}/sheet/:which`, role: 'viewer', handle: download },
  { method: 'get', path: `${draft}/rows/:row`, role: 'viewer', handle: askRow },
  ...pickerRoutes(draft, '/:row', readPicking),
  { ...manyFields, path: `${draft}/typed`, handle: showFormInput },
  ...draftChanges.map(({ name, handle }): Route => ({ ...manyFields, path: `${draft}/${name}`, handle })),
];

async function download({ drafts, params }: PageRequest): Promise<Download> {
  const which = draftSheets.find((each) => each === params.which);
  if (which === undefined) throw new UseCaseError('draft_refused', 'there is no such sheet');
  return { kind: 'download', ...(await drafts.download(params.draft ?? '', which)) };
}
