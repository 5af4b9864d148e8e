/** Product ids that are known outside a sheet: in the other worksheets of its workbook, and in the showcases of its creators. */
import { usernameIn } from '../../../manifest/cells/creator.ts';
import { textOfCell } from '../../../manifest/cells/formula.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { DraftCheck } from '../check/draft-check.ts';
import type { IdsElsewhere } from './products.ts';
import { readShowcases } from './showcase-ids.ts';
import type { FaultyCell } from './suggestion.ts';

/** @param cells whose rows need an id. */
export async function findIdsElsewhere(
  runtime: Runtime,
  { knowledge: { otherSheets }, facts: { indexes } }: DraftCheck,
  cells: readonly FaultyCell[],
): Promise<IdsElsewhere> {
  const creatorOf = (cell: FaultyCell) => usernameIn(textOfCell(cell.cells, indexes.creator));
  const creators = new Set(cells.map(creatorOf));
  creators.delete('');
  const idsInShowcase = await readShowcases(runtime, [...creators]);
  return (title, cell) => {
    const creator = creatorOf(cell);
    const inSheets = [...(otherSheets?.get(title) ?? [])].map(
      ([id, sheet]) =>
        [id, `In the worksheet ${showValue(sheet)} the product ${title} has the id ${id}.`] as const,
    );
    const inShowcase = idsInShowcase(creator, title).map(
      (id) => [id, `In the showcase of ${creator} the product ${title} has the id ${id}.`] as const,
    );
    return new Map([...inSheets, ...inShowcase]);
  };
}
