/** Notes the time zone that a sheet names for its times: in the header of a time, or in a line above the headers. */
import { haveSameClock } from '../../manifest/cells/zone.ts';
import { zoneOfHeaders, zoneOfLine } from '../../manifest/headers/zone-words.ts';
import { shortened } from '../../manifest/printable.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type Problem, placeProblem, showValue } from '../../manifest/problems/problem.ts';
import type { OpenSheet } from '../../sheets/open-sheet.ts';

/** A title may be the first sentence of an instruction. */
const longestShown = 60;

/**
 * @param times headers of the columns that have, or may have, the times. @param timezone of times without one.
 * @returns undefined if the sheet names none, or the one that is set.
 */
export function noteZone(
  { header, above }: Pick<OpenSheet, 'header' | 'above'>,
  times: readonly string[],
  timezone: string | null,
): Problem | undefined {
  if (times.length === 0) return undefined;
  const told = zoneInHeaders(times) ?? zoneAbove(above);
  if (told === undefined || (timezone !== null && haveSameClock(told.zone, timezone))) return undefined;
  const { zone, line = header.line, text, said } = told;
  const read = timezone === null ? '' : `, but they are read in ${timezone}`;
  return placeProblem({ ...header, line }, null, {
    column: null,
    code: 'zone_told',
    value: text,
    problem: `${said} says that times are in ${zone}${read}`,
    fix: ['Add a column scheduled_tz with that zone.', hint('timezone', { zone })],
  });
}

interface ToldZone {
  readonly zone: string;
  readonly text: string;
  /** The place and the text, as the subject of a sentence. */
  readonly said: string;
  readonly line?: number;
}

function zoneInHeaders(times: readonly string[]): ToldZone | undefined {
  const zone = zoneOfHeaders(times);
  const text = showValue(times.find((name) => zoneOfHeaders([name]) !== undefined) ?? '');
  return zone === undefined ? undefined : { zone, text, said: `the header "${text}"` };
}

function zoneAbove(above: OpenSheet['above']): ToldZone | undefined {
  const told = above.flatMap(({ line, cells }) =>
    cells.flatMap((cell) => {
      const zone = zoneOfLine(cell);
      const text = showValue(shortened(cell.trim(), longestShown));
      return zone === undefined ? [] : { zone, text, said: `line ${line}, "${text}",`, line };
    }),
  );
  const [first, ...others] = told;
  return others.every(({ zone }) => zone === first?.zone) ? first : undefined;
}
