/** The results sheet of a campaign, edited and handed in again. */
import type { Scene } from '../support/processes/scene.ts';
import type { Cells } from '../support/sheets/sheet.ts';

export const refused = 'unavailable-1';

/** Hands the results sheet in again, with changes. @returns the document that the command printed. */
export async function importOrUpdate(
  scene: Scene,
  edit: (rows: readonly Cells[]) => readonly Cells[],
  flags: readonly string[] = [],
) {
  const file = scene.manifest(edit(scene.results().rows), 'edited.csv');
  const ended = await scene.run(['run', file, '--into', 'c1', '--json', ...flags]);
  return { ...ended, document: ended.stdout === '' ? {} : JSON.parse(ended.stdout) };
}

/** @returns what changes cells of one row. */
export function editing(key: string, cells: Cells) {
  return (rows: readonly Cells[]) => rows.map((row) => (row.key === key ? { ...row, ...cells } : row));
}
