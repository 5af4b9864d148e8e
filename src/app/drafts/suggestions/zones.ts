/** Times with the short name of a zone behind them, as in `19:30 CET`: people often write that of winter all year round, and mean the clock. */
import { two } from '../../../manifest/cells/time-of-day.ts';
import { readWritten } from '../../../manifest/cells/written-time.ts';
import { Zones } from '../../../manifest/cells/zone.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { andSo, dayOf, editsOf, type ReadCell, timeOf } from './read-times.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';

/** Minutes ahead of UTC. Names that mean several, such as CST, are left out; those of one offset all year, such as JST, are read at once. */
const offsets: ReadonlyMap<string, number> = new Map([
  ['GMT', 0],
  ['WET', 0],
  ['WEST', 60],
  ['BST', 60],
  ['CET', 60],
  ['MEZ', 60],
  ['CEST', 120],
  ['MESZ', 120],
  ['EET', 120],
  ['EEST', 180],
  ['EST', -300],
  ['EDT', -240],
  ['CDT', -300],
  ['MST', -420],
  ['MDT', -360],
  ['PST', -480],
  ['PDT', -420],
]);

/** Zones with summer time in their name, and countries with one clock, as people write them behind a time. */
const places: ReadonlyMap<string, string> = new Map(
  [
    ['America/New_York', 'ET'],
    ['America/Chicago', 'CT'],
    ['America/Denver', 'MT'],
    ['America/Los_Angeles', 'PT'],
    ['Europe/London', 'UK GB'],
    ['Europe/Dublin', 'IE'],
    ['Europe/Rome', 'IT'],
    ['Europe/Berlin', 'DE'],
    ['Europe/Vienna', 'AT'],
    ['Europe/Zurich', 'CH'],
    ['Europe/Paris', 'FR'],
    ['Europe/Madrid', 'ES'],
    ['Europe/Warsaw', 'PL'],
    ['Europe/Istanbul', 'TR'],
    ['Asia/Dubai', 'UAE'],
    ['Asia/Bangkok', 'TH'],
    ['Asia/Ho_Chi_Minh', 'VN'],
    ['Asia/Singapore', 'SG'],
    ['Asia/Shanghai', 'CN'],
    ['Asia/Seoul', 'KR'],
    ['Asia/Tokyo', 'JP'],
  ].flatMap(([zone = '', names = '']) => names.split(' ').map((name) => [name, zone] as const)),
);

const halfYearMs = 182 * 86_400_000;

/** @param timezone of times without a zone. */
export function suggestZones(
  cells: readonly FaultyCell[],
  indexes: ColumnIndexes,
  timezone: string | null,
): readonly Suggestion[] {
  const zones = new Zones();
  const read = cells.flatMap((cell) => {
    const own = (cell.cells[indexes.scheduled_tz] ?? '').trim();
    return readZoned(cell, indexes, zones, own === '' ? timezone : own) ?? [];
  });
  const of = (wanted: Reading['meaning'][]) => read.filter(({ meaning }) => wanted.includes(meaning));
  const offered = [
    ['zone-sure', of(['both']), 'clock', 'sure'],
    ['zone-place', of(['place']), 'offset', 'likely'],
    ['zone-clock', of(['doubtful']), 'clock', undefined],
    ['zone-offset', of(['doubtful', 'offset']), 'offset', undefined],
  ] as const;
  return offered.flatMap(([id, found, as, confidence]): Suggestion[] => {
    const [first] = found;
    if (first === undefined) return [];
    const edits = found.flatMap(({ name: _, ...each }) => editsOf(each[as], indexes));
    const { time } = first[as].time;
    const label = `Read ${first.clock.text} as ${dayOf(first.clock.time)} ${first.clock.time.year}, ${time}${andSo(edits)}`;
    const evidence =
      confidence === 'likely'
        ? `On this day, the clocks of ${places.get(first.name)} show UTC${first.said}.`
        : as === 'offset'
          ? `${first.name} is UTC${first.said}, in summer and winter.`
          : confidence === 'sure'
            ? `On this day, ${first.name} is the time of ${first.zone}.`
            : `On this day, the clocks of ${first.zone} do not show ${first.name}, but people write it all year round.`;
    return [{ id, label, evidence, edits, confidence }];
  });
}

interface Reading {
  /** Of the zone. */
  readonly name: string;
  /** `+01:00`. */
  readonly said: string;
  readonly zone: string;
  /** `both`: the clock of the zone shows it on that day. `doubtful`: only in the other half of the year. `place`: of another one. */
  readonly meaning: 'both' | 'doubtful' | 'offset' | 'place';
  readonly clock: ReadCell;
  readonly offset: ReadCell;
}

function readZoned(
  cell: FaultyCell,
  indexes: ColumnIndexes,
  zones: Zones,
  zone: string | null,
): Reading | undefined {
  const text = timeOf(cell, indexes);
  const [written] = readWritten(text);
  const words = written?.rest.replace(/ time$/i, '').split(' ') ?? [];
  const name = words.pop()?.replace(/^\(|\)$/g, '') ?? '';
  if (written?.year === undefined || written.order !== 'only') return undefined;
  const [plain] = readWritten(`${written.date} ${words.join(' ')}`);
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(plain?.time ?? '') ?? [];
  if (plain === undefined || hour === undefined) return undefined;
  const local = Date.UTC(written.year, plain.month - 1, plain.day, Number(hour), Number(minute));
  const place = places.get(name);
  const offsetAt = (at: number, of = zone) => {
    const there = of === null ? undefined : zones.find(of)?.resolve(at);
    return there?.kind === 'instant' ? (at - there.at) / 60_000 : undefined;
  };
  const minutes = place === undefined ? offsets.get(name) : offsetAt(local, place);
  if (minutes === undefined) return undefined;
  // In Asia, the short names of the times of the Philippines and of Malaysia.
  if (/^[PM]ST$/.test(name) && (offsetAt(local) ?? 0) > 0) return undefined;
  const other =
    place !== undefined ? 'place' : offsetAt(local + halfYearMs) === minutes ? 'doubtful' : 'offset';
  const meaning = offsetAt(local) === minutes ? 'both' : other;
  const clock = `${hour}:${minute}`;
  const said = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  const as = (time: string) => ({ cell, text, time: { ...plain, time } });
  // Without seconds, an offset to the west would be the end of a span.
  return { name, said, zone: zone ?? '', meaning, clock: as(clock), offset: as(`${clock}:00${said}`) };
}
