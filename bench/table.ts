/** Medians and tables. */

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function printTable(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [string, readonly string[]])[],
): void {
  const width = Math.max(title.length, ...rows.map(([name]) => name.length)) + 2;
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}\n`;
  process.stdout.write(line(title, columns) + rows.map(([name, cells]) => line(name, cells)).join(''));
}
