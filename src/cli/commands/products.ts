/** `campaigns products CREATOR`: lists a creator's showcase (contract, section 4.7). */
import type { Command } from 'commander';
import type { ShowcaseProduct } from '../../api/contract/showcase.ts';
import { listProducts } from '../../campaigns/look-up.ts';
import { accountOption, csvOption } from '../flags/common.ts';
import { type LookUpColumn, type LookUpFlags, printEntries } from '../print/look-up.ts';
import { openSession } from '../session.ts';

interface ProductFlags extends LookUpFlags {
  readonly title?: string;
}

export function define(command: Command): Command {
  return command
    .argument('<creator>', 'username, creatorId or account id')
    .option('--title <text>', 'list only titles with this text, in any case')
    .addOption(accountOption())
    .addOption(csvOption())
    .addHelpText('after', '\nExample:\n  campaigns products demo_anna --title serum')
    .action(products);
}

async function products(creator: string, flags: ProductFlags): Promise<void> {
  await using session = await openSession(flags, { writes: true });
  const found = await listProducts(session.runtime, creator, flags);
  session.output.document('products', found);
  printEntries(session.output, 'product', found.products, columns, flags);
}

const columns: readonly LookUpColumn<ShowcaseProduct>[] = [
  ['product_id', ({ id }) => id],
  ['product_title', ({ title }) => title],
  ['price', ({ price }) => [price?.amount, price?.currency].filter(Boolean).join(' ')],
  ['image', ({ images }) => images?.[0]?.url],
];
