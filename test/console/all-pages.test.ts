/** What holds for every page. */
import { expect, it } from 'vitest';
import { mayDo, roles } from '../../src/app/access/roles.ts';
import { pageRoutes } from '../../src/console/pages/routes.ts';
import type { Role } from '../../src/ledger/access/users.ts';
import { openStory } from '../support/console/console-story.ts';
import { Visitor } from '../support/console/visitor.ts';
import { playOnce } from '../support/processes/scene.ts';

const story = playOnce(async (owner) => {
  const opened = await openStory({ users: true }, owner);
  const all = await Promise.all(
    roles.map(async (role) => {
      const visitor = new Visitor(opened.pages.url);
      await visitor.signIn(role);
      return [role, visitor] as const;
    }),
  );
  return { ...opened, visitors: Object.fromEntries(all) as Record<Role, Visitor> };
});

/** Text that a browser shows as such: what people typed into a field stays as it is. */
const shown = (html: string) => html.replaceAll(/<textarea[^>]*>[^<]*/g, '').replaceAll(/value="[^"]*"/g, '');

it('shows texts of people and of the service as texts, and characters that turn text as such', async () => {
  const { visitors, paths, otherPaths } = story();
  const found: string[] = [];
  for (const path of [...paths, ...otherPaths]) {
    const { status, text } = await visitors.admin.get(path);
    if (status !== 200) found.push(`${path}: ${status}`);
    if (/<script>|<img src=x|onerror=alert\(1\)>/.test(text)) found.push(`${path}: markup`);
    const at = shown(text).search(/[\u202a-\u202e\u2066-\u2069]/);
    if (at >= 0) found.push(`${path}: turned: ${shown(text).slice(at - 160, at + 10)}`);
  }
  expect(found).toEqual([]);
});

it.each(roles)('has for the role %s only the forms and links of its rights', async (role) => {
  const { visitors, paths } = story();
  const found: string[] = [];
  const links = new Set<string>();
  const forms = new Set<string>();
  for (const path of paths) {
    const { status, text } = await visitors[role].get(path);
    if (status !== 200) found.push(`${path}: ${status}`);
    const own: string[] = [];
    for (const [form] of text.matchAll(/<form[^>]*method="post"[^>]*>|<button[^>]*formaction=[^>]*>/g)) {
      const [, to = ''] = /action="([^"?]*)/.exec(form) ?? [];
      // A download is a form for GET with its own button.
      if (to !== '/sign-out' && !to.endsWith('.xlsx')) own.push(to);
    }
    for (const to of own) forms.add(decodeURI(to));
    if (own.length === 0) {
      for (const [field] of text.matchAll(/<(?:input[^>]*type="(?:checkbox|radio|file)"|textarea)[^>]*>/g))
        found.push(`${path}: ${field}`);
    }
    for (const [, to = ''] of text.matchAll(/(?:href|hx-get|hx-post)="(\/[^"#]*)/g))
      links.add(to.replaceAll('&amp;', '&'));
  }
  for (const link of links) {
    if ((await visitors[role].get(link)).status === 403) found.push(link);
  }
  for (const form of forms) {
    const right = pageRoutes.find(({ method, path }) => method === 'post' && matches(path, form))?.right;
    if (right === undefined || !mayDo({ person: { role } }, right)) found.push(`${form}: ${right}`);
  }
  expect(found).toEqual([]);
  expect(links.size).toBeGreaterThan(20);
  expect(forms.size > 0).toBe(role !== 'viewer');
});

/** @param pattern of Express. */
function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
}

it('refuses a viewer each other page', async () => {
  const { visitors, otherPaths } = story();
  for (const path of otherPaths) expect((await visitors.viewer.get(path)).status, path).toBe(403);
});
