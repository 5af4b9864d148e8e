/** The page of a draft, and its changes. */
import { openDraftMedium } from '../../../../drafts/check/shown.ts';
import { draftSheets } from '../../../../drafts/download.ts';
import { UseCaseError } from '../../../../runtime/use-case-error.ts';
import { mostNamesOfAll } from '../../../http/forms.ts';
import type { Download, PageRequest, Route, ShownFile } from '../../../request.ts';
import {
  checkAgain,
  leaveOut,
  saveCells,
  saveColumns,
  saveOptions,
  savePicked,
  saveReading,
  saveZone,
  start,
  takeIn,
  takeSuggestion,
  undo,
} from './actions.ts';
import { showDraft, showTyped, streamDraft } from './page.ts';
import { askPick, showPicture } from './pick.ts';
import { askRow, readRow } from './sheet/row.ts';

const draft = '/campaigns/new/:draft';

const changes = {
  take: takeSuggestion,
  cells: saveCells,
  picked: savePicked,
  'leave-out': leaveOut,
  'take-in': takeIn,
  undo,
  columns: saveColumns,
  zone: saveZone,
  reading: saveReading,
  options: saveOptions,
  start,
  check: checkAgain,
} as const;

/** Forms with all cells that the page shows as fields. */
const manyFields = { method: 'post', role: 'operator', mostNames: mostNamesOfAll } as const;

export const draftRoutes: readonly Route[] = [
  { method: 'get', path: draft, role: 'viewer', handle: (request) => showDraft(request) },
  { method: 'get', path: `${draft}/events`, role: 'viewer', handle: streamDraft },
  { method: 'get', path: `${draft}/sheet/:which`, role: 'viewer', handle: download },
  { method: 'get', path: `${draft}/rows/:row`, role: 'viewer', handle: askRow },
  { method: 'get', path: `${draft}/rows/:row/media/:index`, role: 'viewer', handle: showMedium },
  { method: 'get', path: `${draft}/pick/:what`, role: 'operator', handle: askPick },
  { method: 'get', path: `${draft}/pictures/:row/:product`, role: 'operator', handle: showPicture },
  { ...manyFields, path: `${draft}/typed`, handle: showTyped },
  ...Object.entries(changes).map(
    ([name, handle]): Route => ({ ...manyFields, path: `${draft}/${name}`, handle }),
  ),
];

async function download({ drafts, params }: PageRequest): Promise<Download> {
  const which = draftSheets.find((each) => each === params.which);
  if (which === undefined) throw new UseCaseError('draft_refused', 'there is no such sheet');
  return { kind: 'download', ...(await drafts.download(params.draft ?? '', which)) };
}

async function showMedium(request: PageRequest): Promise<ShownFile> {
  const { shown, row } = await readRow(request);
  const index = Number(request.params.index);
  return { kind: 'file', ...(await openDraftMedium(shown.view, shown.checked, row, index)) };
}
