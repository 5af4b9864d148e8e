/** What holds for every page. */
import { expect, it } from 'vitest';
import { openStory } from '../support/console/console-story.ts';
import { Visitor } from '../support/console/visitor.ts';
import { playOnce } from '../support/processes/scene.ts';

const story = playOnce(async (owner) => {
  const opened = await openStory({ users: true }, owner);
  const [anna, lin] = [new Visitor(opened.pages.url), new Visitor(opened.pages.url)];
  await anna.signIn('anna');
  await lin.signIn('lin');
  return { ...opened, anna, lin };
});

/** Text that a browser shows as such: what people typed into a field stays as it is. */
const shown = (html: string) => html.replaceAll(/<textarea[^>]*>[^<]*/g, '').replaceAll(/value="[^"]*"/g, '');

it('shows texts of people and of the service as texts, and characters that turn text as such', async () => {
  const { anna, paths, operatorPaths } = story();
  const found: string[] = [];
  for (const path of [...paths, ...operatorPaths]) {
    const { status, text } = await anna.get(path);
    if (status !== 200) found.push(`${path}: ${status}`);
    if (/<script>|<img src=x|onerror=alert\(1\)>/.test(text)) found.push(`${path}: markup`);
    const at = shown(text).search(/[\u202a-\u202e\u2066-\u2069]/);
    if (at >= 0) found.push(`${path}: turned: ${shown(text).slice(at - 160, at + 10)}`);
  }
  expect(found).toEqual([]);
});

it('has nothing for a viewer to change: no form, no button, no box, no way to a question', async () => {
  const { lin, paths } = story();
  const found: string[] = [];
  const links = new Set<string>();
  for (const path of paths) {
    const { status, text } = await lin.get(path);
    if (status !== 200) found.push(`${path}: ${status}`);
    const forms = [...text.matchAll(/<form[^>]*>/g)].map(([form]) => form);
    for (const form of forms) {
      if (form.includes('method="post"') && !form.includes('action="/sign-out"'))
        found.push(`${path}: ${form}`);
    }
    for (const [field] of text.matchAll(/<(?:input[^>]*type="(?:checkbox|radio|file)"|textarea)[^>]*>/g)) {
      found.push(`${path}: ${field}`);
    }
    for (const [, to = ''] of text.matchAll(/(?:href|hx-get|hx-post|formaction)="(\/[^"#]*)/g)) {
      links.add(to.replaceAll('&amp;', '&'));
    }
  }
  for (const link of links) {
    if ((await lin.get(link)).status === 403) found.push(link);
  }
  expect(found).toEqual([]);
  expect(links.size).toBeGreaterThan(20);
});

it('refuses a viewer each page for operators', async () => {
  const { lin, operatorPaths } = story();
  for (const path of operatorPaths) expect((await lin.get(path)).status, path).toBe(403);
});
