/** The shape of one change of a sheet, as pages and programs send it, and as it is kept. */
import { z } from 'zod';
import { type ColumnName, columns } from '../../../manifest/columns.ts';
import { mostColumns } from '../../../manifest/sheet-bounds.ts';

const maxCellLength = 32_767;
const maxRows = 1_000_000;

const rowSchema = z.int().min(1, 'the first row is row 1');
const cellSchema = z.strictObject({
  /** Number of the row in the file, from 1. Lines would not do: JSON may have all rows on one. */
  row: rowSchema,
  /** Position of the cell in its row, from 0. */
  position: z
    .int()
    .min(0)
    .max(mostColumns - 1, 'only cells of the first 1,000 columns can be edited'),
  text: z.string().max(maxCellLength, 'a cell takes at most 32,767 characters'),
});

const columnNames = columns.map(({ name }) => name) as [ColumnName, ...ColumnName[]];

/** The effect of one change on the sheet. Rows are identified by their numbers. */
export const editSchema = z.strictObject({
  cells: z.array(cellSchema).max(maxRows).optional(),
  leaveOut: z.array(rowSchema).max(maxRows).optional(),
  takeIn: z.array(rowSchema).max(maxRows).optional(),
  /** Rows that repeat posts of other campaigns, to be posted once more, and rows that are not to be. */
  postAgain: z.array(rowSchema).max(maxRows).optional(),
  postOnce: z.array(rowSchema).max(maxRows).optional(),
  /** Columns that the sheet lacks, to be added behind its last one: cells may name their positions. */
  addColumns: z
    .strictObject({
      /** Position of the first of them: the number of columns so far. */
      at: z.int().min(0),
      columns: z
        .array(
          z.strictObject({
            name: z.enum(columnNames),
            /** Its text in every row that has no other. */
            text: z.string().max(maxCellLength, 'a cell takes at most 32,767 characters').optional(),
          }),
        )
        .min(1)
        .max(columnNames.length),
    })
    .optional(),
});

/** One change: who made it, when, and its effect. */
export const entrySchema = editSchema.extend({
  at: z.int(),
  by: z.string().max(200),
  /** The sheet that it was made for, and how that was read (`readingId`). It does not apply to any other. */
  of: z.string().max(200),
  /** What an update keeps of the sheet's last version: its rows are skipped again. */
  isCarried: z.literal(true).optional(),
  /** Rows that have the key of another row in the sheet, and the campaign's here. */
  rekeyed: z.int().optional(),
  /** `sheetVersion` of the campaign that it was made with. */
  campaignVersion: z.string().optional(),
  /** Rows without a key of their own that may be rows of the campaign, with the keys of those. */
  mayBe: z
    .array(z.strictObject({ row: rowSchema, key: z.string() }))
    .max(maxRows)
    .optional(),
  /** Rows that were left out with these problems before: with all of them they are skipped again. */
  leaveFaulty: z
    .array(z.strictObject({ row: rowSchema, codes: z.array(z.string()).readonly() }))
    .max(maxRows)
    .optional(),
  /** Belongs to the change before: one press made both, and one undo takes both back. */
  isFurther: z.literal(true).optional(),
  /** Takes back the last change that still applies. */
  undo: z.literal(true).optional(),
});

export type AddedColumn = NonNullable<Edit['addColumns']>['columns'][number];
export type CellEdit = Readonly<z.infer<typeof cellSchema>>;
export type DoubtfulRow = NonNullable<EditEntry['mayBe']>[number];
export type FaultyRow = NonNullable<EditEntry['leaveFaulty']>[number];
export type Edit = Readonly<z.infer<typeof editSchema>>;
export type EditEntry = Readonly<z.infer<typeof entrySchema>>;

export function rowsOf(edit: Edit): ReadonlySet<number> {
  const { cells = [], leaveOut = [], takeIn = [], postAgain = [], postOnce = [] } = edit;
  const rows = new Set(cells.map(({ row }) => row));
  for (const marked of [leaveOut, takeIn, postAgain, postOnce]) for (const row of marked) rows.add(row);
  return rows;
}
