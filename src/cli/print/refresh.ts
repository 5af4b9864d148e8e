/** What a look into the publishing records has brought, in words. */
import type { Refreshed } from '../../campaigns/records.ts';
import { plural } from '../../runtime/wording.ts';
import type { Output } from './output.ts';

export function printRefresh(output: Output, id: string, { rows, posts }: Refreshed): void {
  if (rows.length === 0 && posts.length === 0) {
    output.print('The publishing records tell nothing new.');
    return;
  }
  for (const row of rows) {
    const lead = `row ${row.key}  `;
    if (row.state === 'posted') output.print(`${lead}review -> posted as ${row.postId}`);
    else output.printText(`${lead}in review  `, row.note);
  }
  for (const { before, after, posts: count, examples } of posts) {
    const keys = examples.map(({ key }) => key).join(', ');
    const more = count > examples.length ? ', ...' : '';
    output.print(`${plural(count, 'post')} ${before || '(no state)'} -> ${after}: ${keys}${more}`);
    for (const { key, failure } of examples) if (failure) output.printText(`  ${key}  `, failure);
  }
  output.print(`Write the sheet anew with: campaigns report ${id} --out FILE`);
}
