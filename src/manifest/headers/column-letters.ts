/** The name of a column in a spreadsheet program: `A` for position 0, `AB` for 27. */
export function columnLetters(position: number): string {
  const letter = String.fromCharCode(0x41 + (position % 26));
  return position < 26 ? letter : columnLetters(Math.floor(position / 26) - 1) + letter;
}
