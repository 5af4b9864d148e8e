/** `campaigns products CREATOR`: what is in a creator's showcase (contract, section 4.7). */
import { Command } from 'commander';
import type { ShowcaseProduct } from '../../api/contract/showcase.ts';
import { accountOption, configOption, csvOption, jsonOption } from '../flags/common.ts';
import type { LookUpColumn, LookUpOptions } from '../print/look-up.ts';

interface ProductFlags extends LookUpOptions {
  readonly title?: string;
}

export function productsCommand(): Command {
  return new Command('products')
    .description("list the products in a creator's showcase")
    .argument('<creator>', 'username, creatorId or account id')
    .option('--title <text>', 'only those whose title holds this text, in any case')
    .addOption(accountOption())
    .addOption(csvOption())
    .addOption(configOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample:\n  campaigns products demo_anna --title serum')
    .action(products);
}

async function products(creator: string, flags: ProductFlags): Promise<void> {
  const [{ lookUp, printEntries }, { findCreator }] = await Promise.all([
    import('../print/look-up.ts'),
    import('../../campaigns/find-creator.ts'),
  ]);
  await lookUp(flags, 'the showcase could not be looked up', async ({ client, through }, { output }) => {
    const { id, creatorId } = await findCreator(client, through, creator);
    const wanted = flags.title?.toLowerCase() ?? '';
    const found: ShowcaseProduct[] = [];
    for await (const product of client.showcase.all({ id }, { through })) {
      // The service has no filter of its own.
      if ((product.title ?? '').toLowerCase().includes(wanted)) found.push(product);
    }
    output.document({ creator: { id, creatorId }, products: found });
    printEntries(output, 'product', found, columns, flags);
  });
}

const columns: readonly LookUpColumn<ShowcaseProduct>[] = [
  ['product_id', ({ id }) => id],
  ['product_title', ({ title }) => title],
  ['price', ({ price }) => [price?.amount, price?.currency].filter(Boolean).join(' ')],
  ['image', ({ images }) => images?.[0]?.url],
];
