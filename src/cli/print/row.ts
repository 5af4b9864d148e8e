/** One row's history in words. */
import type { ShownRow } from '../../campaigns/rows/show-row.ts';
import { plural } from '../../runtime/wording.ts';
import { type Output, table } from './output.ts';

export function printRow(output: Output, { key, state, error, history }: ShownRow): void {
  output.print(`Row ${output.paint('bold', key)} is ${state}.`);
  if (error) output.printText('  error  ', `${error.code}: ${error.message}`);
  if (error?.note) output.printText('  note   ', error.note);
  if (error?.cure) output.printText('  cure   ', error.cure);
  if (history.length === 0) return;
  output.print();
  const lines = history.map(({ at, step, outcome, message, times }) => [
    `${new Date(at).toISOString().slice(0, 19)}Z`,
    step ?? '',
    times > 1 ? `${outcome} (${plural(times, 'time')})` : outcome,
    message ?? '',
  ]);
  for (const line of table(['TIME', 'STEP', 'OUTCOME', 'MESSAGE'], lines)) output.print(line);
}
