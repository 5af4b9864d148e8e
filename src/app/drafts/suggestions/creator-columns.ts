/** Which columns of a worksheet are a list of creators: their names, and the accounts that they have. */
import { creatorIn, findIdFault, nameInLink } from '../../../manifest/cells/id.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import {
  areMost,
  columnsWhere,
  folded,
  type ListColumns,
  type ListSheet,
  namesOf,
  positionsOf,
} from './list-columns.ts';

/** As `foldHeader` returns them. */
const creators = /creat|creador|criador|kreat|influen|talent|cast|autor|达人|创作者|博主/;
const accounts =
  /account|compte|konto|cuenta|akun|conta|user|usuario|utilisateur|pengguna|handle|pseudo|prof[ií]l|tiktok|账号|用户名/;

/** Headers of accounts at other networks, as `foldHeader` returns them. */
const otherNetworks =
  /insta|youtube|snapchat|pinterest|facebook|twitter|threads|linkedin|twitch|bluesky|小红书|微博|^(?:ig|yt|fb|x)(?:account|handle|name|user|username)?$/;

/** The columns of a list of creators; undefined if it is none. Another worksheet of posts is none. */
export async function creatorColumns(sheet: ListSheet): Promise<ListColumns | undefined> {
  const { name, header } = sheet;
  const isOfCreators = (text: string) => creators.test(foldHeader(text));
  if (![name, ...header].some(isOfCreators)) return undefined;
  if (positionsOf(sheet).some((position) => folded(sheet, position) === 'media')) return undefined;
  const marked = await columnsWhere(sheet, (position) => areMost(sheet, position, isMarkedAccount));
  const told = await columnsWhere(
    sheet,
    (position) =>
      accounts.test(foldHeader(header[position] ?? '')) &&
      areMost(sheet, position, (text) => isAccount(text)),
  );
  const isOfOthers = (position: number) => otherNetworks.test(foldHeader(header[position] ?? ''));
  const own = (at: readonly number[]) => at.filter((position) => !isOfOthers(position));
  const values = [own(marked), own(told), marked, told].find(({ length }) => length > 0);
  if (values === undefined) return undefined;
  const found = await namesOf(sheet, values, isOfCreators);
  const read = (text: string) => (isAccount(text) ? creatorIn(text) : undefined);
  const isTold = found.isTold && !values.some(isOfOthers);
  return found.names.length === 0 ? undefined : { ...found, isTold, values, read };
}

/** `@mia`, or the link of a profile. */
function isMarkedAccount(text: string): boolean {
  return isAccount(text) && (text.startsWith('@') || text.includes('/'));
}

function isAccount(text: string): boolean {
  if (text.includes('/')) return nameInLink(text)?.isProfile ?? false;
  return /^@?[\w.-]{2,60}$/.test(text) && findIdFault(text) === null;
}
