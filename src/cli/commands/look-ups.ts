/** Look-ups in the service: `campaigns creators`, `products` and `music`. */

import { stringify } from 'csv-stringify/sync';
import { listCreators, listProducts, searchMusic } from '../../app/campaigns/look-up.ts';
import { guardFormula } from '../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../manifest/cells/id.ts';
import { plural } from '../../manifest/wording.ts';
import {
  authSources,
  type CreatorAccount,
  photoPermission,
  type ShowcaseProduct,
  videoPermission,
} from '../../service/contract/creators.ts';
import type { MusicTrack } from '../../service/posts.ts';
import { csvOption, type Define, parsedBy } from '../flags/common.ts';
import type { Output } from '../print/output.ts';
import { type CommonOptions, inSession } from '../session.ts';

interface LookUpFlags extends CommonOptions {
  readonly csv?: boolean;
}

/** A column of a look-up. It has the name of the manifest's column, if there is one. */
type Column<T> = readonly [name: string, cell: (entry: T) => string | undefined];

interface CreatorFlags extends LookUpFlags {
  readonly valid?: boolean;
  readonly photo?: boolean;
  readonly username?: string[];
  readonly region?: string;
  readonly authSource?: (typeof authSources)[number];
}

/** Lists authorized creators and what they may post (contract, section 4.5). */
export const creators: Define = (command) =>
  command
    .option('--valid', 'list only creators with a valid authorization')
    .option('--photo', 'list only creators who may post photos')
    .option('--username <name...>', 'list only these creators')
    .option('--region <region>', 'list only creators of this target shop region')
    .option('--auth-source <source>', `list only this source: ${authSources.join(' or ')}`, authSource)
    .addOption(csvOption())
    .notes('\nExample:\n  campaigns creators --valid --photo --csv > creators.csv')
    .action(
      inSession({ writes: true }, async ({ runtime, output }, flags: CreatorFlags) => {
        const { valid, photo: hasPhotoPermission, region: selectionRegion, authSource } = flags;
        const usernames = flags.username?.map(creatorIn);
        const query = { valid, hasPhotoPermission, usernames, selectionRegion, authSource };
        const found = await listCreators(runtime, query);
        output.document('creators', { creators: found });
        print(output, 'creator', found, creatorColumns, flags);
      }),
    );

const authSource = parsedBy(
  (text) => authSources.find((source) => source === text.toUpperCase()),
  `It must be ${authSources.join(' or ')}.`,
);

const creatorColumns: readonly Column<CreatorAccount>[] = [
  ['creator', ({ username }) => username],
  ['creator_id', ({ creatorId }) => creatorId],
  ['account_id', ({ id }) => String(id)],
  ['oauth_region', ({ oauthRegion }) => oauthRegion],
  ['shop_region', ({ selectionRegion }) => selectionRegion],
  ['may_post', describePermissions],
  ['authorization', describeAuthorization],
  ['tags', ({ tagNames }) => tagNames?.join('|')],
];

function describePermissions({ permissions = [] }: CreatorAccount): string {
  const kinds = [
    ...(permissions.includes(videoPermission) ? ['videos'] : []),
    ...(permissions.includes(photoPermission) ? ['photos'] : []),
  ];
  return kinds.join('|');
}

function describeAuthorization({ valid, authSource: source }: CreatorAccount): string {
  if (valid === false) return 'expired';
  if (source === undefined || source === 'SOCIAL_SHOP_CREATOR') return 'valid';
  return `valid, by ${source}: cannot publish`;
}

/** Lists a creator's showcase (contract, section 4.7). */
export const products: Define = (command) =>
  command
    .argument('<creator>', 'username, creatorId or account id')
    .option('--title <text>', 'list only titles with this text, in any case')
    .addOption(csvOption())
    .notes('\nExample:\n  campaigns products demo_anna --title serum')
    .action(
      inSession(
        { writes: true },
        async ({ runtime, output }, creator: string, flags: LookUpFlags & { readonly title?: string }) => {
          const found = await listProducts(runtime, creator, flags);
          output.document('products', found);
          print(output, 'product', found.products, productColumns, flags);
        },
      ),
    );

const productColumns: readonly Column<ShowcaseProduct>[] = [
  ['product_id', ({ id }) => id],
  ['product_title', ({ title }) => title],
  ['price', ({ price }) => [price?.amount, price?.currency].filter(Boolean).join(' ')],
  ['image', ({ images }) => images?.[0]?.url],
];

/** Searches background music as the setting `api.searchMusic` says (contract, section 4.9). */
export const music: Define = (command) =>
  command
    .argument('<text>', 'text to search for')
    .addOption(csvOption())
    .notes('\nNeeds the setting api.searchMusic.\n\nExample:\n  campaigns music summer')
    .action(
      inSession({ writes: true }, async ({ runtime, output }, text: string, flags: LookUpFlags) => {
        const found = await searchMusic(runtime, text);
        output.document('music', { music: found });
        print(output, 'track', found, musicColumns, flags);
      }),
    );

const musicColumns: readonly Column<MusicTrack>[] = [
  ['music_id', ({ id }) => id],
  ['music_title', ({ title }) => title],
  ['music_author', ({ author }) => author],
  ['music_duration', ({ duration }) => duration],
];

/** Prints a table, or CSV to paste into a sheet; nothing with `--json`. */
function print<T>(
  output: Output,
  noun: string,
  entries: readonly T[],
  columns: readonly Column<T>[],
  { csv = false }: LookUpFlags,
): void {
  const names = columns.map(([name]) => name);
  const rows = entries.map((entry) => columns.map(([, cell]) => cell(entry) ?? ''));
  if (csv) output.sheet(stringify([names, ...rows.map((row) => row.map(guardFormula))]));
  else if (rows.length === 0) output.print(`No ${noun} found.`);
  else {
    const titles = names.map((name) => name.toUpperCase());
    output.table(titles, rows);
    output.say(plural(rows.length, noun));
  }
}
