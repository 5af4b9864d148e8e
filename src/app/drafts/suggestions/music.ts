/** The ids of music that rows name by its title: of lists in the workbook, and of the service. */
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import type { MusicTrack } from '../../../service/posts.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { searchMusic } from '../../campaigns/look-up.ts';
import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { RecentLists } from '../pickers.ts';
import type { OtherSheets } from './other-sheets.ts';
import { suggestPartners } from './products.ts';
import type { FaultyCell, Suggestion } from './suggestion.ts';

/** The column that fixes may add behind the last one of a sheet: plans name music by its title only. */
export const columnOfFixes = 'music_id' as const;

const mostTracks = 30;
/** Most titles to search for one problem, and how long to wait for all. What comes later is there for the next page. */
const mostSearched = 10;
const waitMs = 1500;

/** `Midnight Morning – Lantern Trio` has a title and an author. */
const beforeAuthor = / [-–—|/] /;

const searched = new RecentLists<readonly MusicTrack[]>();

/** @param text a title, an author, or both. @throws {UseCaseError} as `searchMusic`. */
export function findMusic(runtime: Runtime, text: string): Promise<readonly MusicTrack[]> {
  const [title = ''] = text.split(beforeAuthor, 1);
  return searched.find(runtime, text, async () => {
    const found = await searchMusic(runtime, text, { most: mostTracks });
    return found.length > 0 || title === text ? found : searchMusic(runtime, title, { most: mostTracks });
  });
}

function isTitleOf(text: string, { title = '', author = '' }: MusicTrack): boolean {
  const name = (written: string) => foldName(written.split(beforeAuthor).join(' '));
  return (
    title !== '' &&
    [title, `${title} ${author}`, `${author} ${title}`].some((each) => name(each) === name(text))
  );
}

/** @param cells of rows without an id, or with a title in its place. @param width of the sheet: what it lacks is added there. */
export async function suggestMusic(
  runtime: Runtime,
  cells: readonly FaultyCell[],
  lists: OtherSheets | undefined,
  {
    music_id,
    music_title,
    width,
  }: Pick<ColumnIndexes, 'music_id' | 'music_title'> & { readonly width: number },
): Promise<readonly Suggestion[]> {
  const id = music_id < 0 ? width : music_id;
  const ofTitle = cells.every((cell) => (cell.cells[id] ?? '') === '') ? music_title : id;
  const titleOf = (cell: FaultyCell) => (cell.cells[ofTitle] ?? '').trim();
  const listed = (title: string) => [...(lists?.music?.get(foldName(title)) ?? [])];
  const open = [...new Set(cells.map(titleOf))].filter((title) => title !== '' && listed(title).length === 0);
  const tracks = new Map<string, readonly MusicTrack[]>();
  const search = open.slice(0, mostSearched).map(async (title) => {
    const found = await findMusic(runtime, title);
    const exact = found.filter((track) => isTitleOf(title, track));
    tracks.set(title, exact);
  });
  // Without an answer, a person searches.
  await unlessLate(Promise.allSettled(search), waitMs);
  const find = (title: string): ReadonlyMap<string, string> => {
    const ofLists = listed(title).map(
      ([id, { sheet, name = title }]) =>
        [id, `In the worksheet ${showValue(sheet)}, the music ${showValue(name)} has the id ${id}.`] as const,
    );
    const ofService = (tracks.get(title) ?? []).map(
      ({ id, title: name = '', author = '' }) =>
        [id, `The service has the music ${showValue([name, author].filter(Boolean).join(', '))}.`] as const,
    );
    return new Map([...ofLists, ...ofService]);
  };
  const several = (title: string) => find(title).size > 1;
  return suggestPartners(
    cells.map((cell) => ({ ...cell, position: id })),
    ofTitle,
    {
      what: 'music id',
      find: (title) => (several(title) ? new Map() : find(title)),
      guess: find,
      fits: () => true,
    },
  );
}
