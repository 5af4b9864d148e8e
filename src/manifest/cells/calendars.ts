/** Years of other calendars whose months and days are the Gregorian ones, so that only the year has to be converted. */

export interface OtherYear {
  readonly calendar: 'Buddhist' | 'Minguo' | 'Reiwa';
  /** As that calendar counts it. */
  readonly year: number;
}

/** The Gregorian year in which each calendar has its year 0. */
const zeros = { Buddhist: -543, Minguo: 1911, Reiwa: 2018 } as const;

/** Gregorian years that a post, or its plan, may have. */
const first = 1990;
const last = 2150;
/** Two digits from here on are a year of the Buddhist calendar (Thai sheets write 69 for 2569), not one that is decades away. */
const firstShort = 60;

export function gregorian({ calendar, year }: OtherYear): number {
  return year + zeros[calendar];
}

/** Undefined for the Gregorian one. No other year can be meant: as Gregorian years they are centuries away. */
export function otherYear(digits: string): OtherYear | undefined {
  const number = Number(digits);
  const isShort = digits.length === 2;
  if (isShort && number < firstShort) return undefined;
  const found: OtherYear = isShort
    ? { calendar: 'Buddhist', year: 2500 + number }
    : { calendar: digits.length === 3 ? 'Minguo' : 'Buddhist', year: number };
  const year = gregorian(found);
  return year >= first && year <= last ? found : undefined;
}
