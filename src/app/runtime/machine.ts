/** Facts of this computer: its region, and its user. */
import { userInfo } from 'node:os';

/** `;` where numbers have a decimal comma. @param env has the locale on POSIX systems; on others, the system's is used. */
export function regionalDelimiter(env: NodeJS.ProcessEnv = process.env): ',' | ';' {
  const given = env.LC_ALL || env.LC_NUMERIC || env.LANG;
  // `de_DE.UTF-8@euro` is `de-DE` here. `C` and `POSIX` are not regions.
  const name = given?.replace(/[.@].*$/s, '').replaceAll('_', '-');
  const locale = name === 'C' || name === 'POSIX' ? 'en' : name;
  return decimalMark(locale) === ',' ? ';' : ',';
}

function decimalMark(locale: string | undefined): string | undefined {
  try {
    return mark(new Intl.NumberFormat(locale));
  } catch {
    // Not the name of a locale.
    return mark(new Intl.NumberFormat('en'));
  }
}

function mark(format: Intl.NumberFormat): string | undefined {
  return format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value;
}

/** Columns that text is wrapped to without a terminal: `COLUMNS`, else 80. */
export function usualColumns(): number {
  const columns = Number(process.env.COLUMNS);
  return Number.isInteger(columns) && columns >= 20 ? columns : 80;
}

/** The author of changes by commands, or in an open console: the user of the system. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
