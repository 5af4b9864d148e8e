/** Edits a draft, with what follows from an edit: what was typed is read as the sheet's other cells are, and names are remembered. */
import type { Edit } from '../campaigns/import/edit.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { namesReplaced, teachAliases, unteachAliases } from './aliases.ts';
import type { Draft } from './draft.ts';
import { type Change, unlessChanged } from './drafts.ts';
import type { OpenDraft } from './open-draft.ts';
import { readTyped } from './suggestions/typed.ts';

/** Of a sheet whose check takes longer, people are asked what they typed. */
const patienceMs = 1000;

/** @returns the draft right after it. @throws {UseCaseError} as `OpenDrafts.edit`. */
export async function editDraft(
  runtime: Runtime,
  open: OpenDraft,
  change: Change,
  edit: Edit,
  what: string,
): Promise<Draft> {
  const names = open.checked === undefined ? [] : await namesReplaced(open.checked, edit);
  const edited = await open.edit(change, edit, what);
  const { version } = edited;
  const draft = (await editFurther(runtime, open, { by: change.by, version }, edit, what)) ?? edited;
  if (names.length === 0 || open.checked === undefined) return draft;
  // The edit is saved, whatever becomes of this.
  await teachAliases(runtime, open.checked, names, change.by).catch((error: unknown) =>
    runtime.log.warn({ error: String(error) }, 'names not remembered'),
  );
  return draft;
}

/** @param change with the version of the edit: what another person did since is not overwritten, and not undone together with it. */
async function editFurther(
  runtime: Runtime,
  open: OpenDraft,
  change: Change,
  { cells = [] }: Edit,
  what: string,
): Promise<Draft | undefined> {
  if (cells.length === 0 || !(await open.settled(patienceMs)) || open.checked === undefined) return undefined;
  const read = await readTyped(runtime, open.checked, cells);
  if (read.length === 0) return undefined;
  return unlessChanged(open.edit({ ...change, isFurther: true }, { cells: [...read] }, what));
}

/** Takes back the last edit, and what it taught. @throws {UseCaseError} as `OpenDrafts.undo`. */
export async function undoEdit(runtime: Runtime, open: OpenDraft, change: Change): Promise<void> {
  const { last } = open.edits.summary;
  await open.edit(change, 'undo', 'undid the last edit');
  if (last !== undefined) await unteachAliases(runtime, open.draft.id, last.at);
}
