/** `/campaigns/aliases`: names in sheets that people have fixed, and what they mean. Each change asks first. */
import { mayDo } from '../../../app/access/roles.ts';
import { type Alias, aliasKinds, longestName, readAliases } from '../../../app/campaigns/import/aliases.ts';
import { aliasOperations } from '../../../app/operations/aliases.ts';
import { html, words } from '../../html.ts';
import { crumbs, dotsMenu, empty } from '../../parts/blocks.ts';
import { asksFirst, questionLink } from '../../parts/form.ts';
import { indexPager } from '../../parts/list.ts';
import { moment } from '../../parts/numbers.ts';
import { icon } from '../../parts/state.ts';
import type { Page, PageRequest, Route } from '../../request.ts';

const home = '/campaigns/aliases';
const each = 50;
const ofAlias = { right: 'edit', home: () => home } as const;
const given = ({ params: { kind, name = '' } }: PageRequest) => ({
  kind: aliasKinds.find((one) => one === kind) ?? 'creator',
  name,
});

export const aliasRoutes: readonly Route[] = [
  { method: 'get', path: home, right: 'see', handle: showAliases },
  ...asksFirst({
    ...ofAlias,
    path: `${home}/:kind/:name/change`,
    ask: async (request) => {
      const { kind, name } = given(request);
      const alias = (await readAliases(request.runtime)).find(
        (one) => one.kind === kind && one.name === name,
      );
      return {
        title: `Change ${name}?`,
        text: html`<p>Sheets with this name get the new ${words(kind)} as a suggestion. Campaigns stay as they are.</p>`,
        fields: html`<p class="fields"><label for="means">${kind === 'creator' ? 'Username or creator ID' : 'Product ID'}</label><input id="means" name="means" value="${alias?.means ?? ''}" maxlength="${longestName}" required dir="auto"></p>`,
        button: 'Save',
      };
    },
    carryOut: async (request) => {
      const means = request.form.get('means') ?? '';
      const { name } = await request.carryOut(aliasOperations.setAlias, { ...given(request), means });
      return `${name} means ${means.trim()} now.`;
    },
  }),
  ...asksFirst({
    ...ofAlias,
    path: `${home}/:kind/:name/remove`,
    ask: (request) => ({
      title: `Remove ${given(request).name}?`,
      text: html`<p>It will no longer be suggested. Existing campaigns do not change.</p>`,
      button: 'Remove it',
      isDangerous: true,
    }),
    carryOut: async (request) => {
      await request.carryOut(aliasOperations.removeAlias, given(request));
      return `${given(request).name} is removed.`;
    },
  }),
];

async function showAliases(request: PageRequest): Promise<Page> {
  const all = [...(await readAliases(request.runtime))].reverse();
  const page = Number(request.query.get('page') ?? '0');
  const from = (Number.isInteger(page) && page > 0 ? page : 0) * each;
  const lines = all.slice(from, from + each).map((alias) => line(request, alias));
  const address = (to: number) => request.link(`${home}?page=${to / each}`);
  const list =
    all.length === 0
      ? empty(
          html`<b>No names yet.</b> They appear here when you fix a creator or product that the check does not know.`,
        )
      : html`<ul class="card lines">${lines}</ul>${indexPager('Pages', { from, each, total: all.length, noun: 'names' }, ['Back', 'Next'], address)}`;
  return {
    kind: 'page',
    title: 'Aliases',
    main: html`${crumbs(request, [['/campaigns', 'Campaigns']], 'Aliases')}
      <div class="head"><div><h1 id="aliases">Aliases</h1><p class="about">Names of creators and products that people fixed in a sheet. The next sheet with the name gets the fix as a suggestion.</p></div></div>
      <section aria-labelledby="aliases">${list}</section>`,
  };
}

function line(request: PageRequest, { kind, name, means, by, at }: Alias) {
  const path = `${home}/${kind}/${encodeURIComponent(name)}`;
  const menu =
    mayDo(request, 'edit') &&
    dotsMenu(name, [
      questionLink(request, `${path}/change`, 'Change…', ''),
      questionLink(request, `${path}/remove`, 'Remove…', 'danger'),
    ]);
  return html`<li><div><b>${words(name)}</b> ${icon('right', 'becomes')} ${words(means)}<small>${kind}</small></div><div><small>${words(by)}, ${moment(at, request.zone, request.now)}</small></div>${menu}</li>`;
}
