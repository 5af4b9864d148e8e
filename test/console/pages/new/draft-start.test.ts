import { expect, it } from 'vitest';
import { rememberedOptions } from '../../../../src/app/drafts/drafts.ts';
import { openTestDraft } from '../../../app/drafts/test-draft.ts';
import { checkedPage, good, lost, openDraft, options, product } from '../../../support/console/draft-page.ts';
import { aiPhotoRow, aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';

it('says in the plan what is called for how many items, and what the canary takes', async () => {
  const { send } = await openDraft([videoRow('a'), videoRow('b')]);
  const one = await send('options', { ...options, canary: '1' });
  expect(one.text).toContain('The first post of the sheet goes out first. Then the campaign pauses');
  expect(one.text).toMatch(
    /What How many Calls Rate limit At least Note Posts 2 2 [\d,.]+ a second right away/,
  );
  expect(one.text).toMatch(/Uploads 2 files 2 [\d,.]+ a second right away 74 bytes/);
  const all = await send('options', { ...options, canary: '2' });
  expect(all.text).toContain('The canary covers every post; nothing will wait.');
});

it('says in the plan when the first post is due, and how long that is from now', async () => {
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Shanghai' };
  const { checked } = await openDraft([videoRow('a', time)]);
  expect((await checked()).text).toMatch(
    /No scheduled time would be missed\. The first is Wed 12 Mar 2031, \d\d:00 in \S+: in [\d,]+ days\./,
  );
});

it('counts posts of generated photos, which get no AI label', async () => {
  const { checked } = await openDraft([aiPhotoRow('a', 2), videoRow('b')]);
  const { text } = await checked();
  expect(text).toContain('1 post of generated photos will have no AI label');
  expect(text).toContain('1 row: generated photos get no AI label');
  expect(text).toMatch(/2 posts 2 AI outputs .*1 without AI label/);
});

it('says beside Start when posts go to the service, with the way to change it', async () => {
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Shanghai' };
  const { checked, send } = await openDraft([videoRow('a', time)]);
  const dock = (html: string) => html.split('id="draft-dock"')[1] ?? '';
  expect(dock((await checked()).html)).toContain(
    'sent to the service right away (<a href="#lead">change</a>)',
  );
  const { html } = await send('options', { ...options, lead: '2d' });
  expect(dock(html)).toContain('sent to the service 2 days before their time');
  const untimed = await openDraft([videoRow('a')]);
  expect(dock((await untimed.checked()).html)).not.toContain('sent to the service');
});

it('says where rows have times that an update does not change what the service has', async () => {
  const said = 'Once the service has a post, an update can no longer change its caption or time.';
  const time = { scheduled_at: '2031-03-12 18:00', scheduled_tz: 'Asia/Shanghai' };
  const timed = await openDraft([videoRow('a', time)]);
  expect((await timed.checked()).text).toContain(said);
  const untimed = await openDraft([videoRow('a')]);
  expect((await untimed.checked()).text).not.toContain(said);
});

it('starts exactly what the button said, and nothing else', async () => {
  const { send, runner, edit } = await openDraft([videoRow('a', good), aiVideoRow('b')]);
  const refused = await send('start', { posts: '5', name: 'Spring' });
  expect(refused.status).toBe(409);
  expect(await runner.ledger.campaigns.list()).toEqual([]);
  await edit({ leaveOut: [2] });
  const { text } = await send('start', { posts: '1', name: 'Spring', canary: '1' });
  expect(text).toContain('Started: 1 post of Spring.');
  expect(await runner.ledger.campaigns.list()).toMatchObject([{ name: 'Spring', rows: 1 }]);
});

it.each([
  ['cells', { c: product }],
  ['leave-out', {}],
  ['zone', { zone: 'Asia/Shanghai' }],
  ['columns', {}],
])(
  '%s keeps the options that were typed',
  async (action, { c, ...fields }: { c?: string; zone?: string }) => {
    const { checked, send, look } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
    const cell = /name="(c\.\d+\.\d+)"/.exec((await checked()).html)?.[1] ?? '';
    const { status, html } = await send(action, { ...options, ...fields, ...(c && { [cell]: c }) });
    expect(status).toBe(200);
    expect((await look()).draft.options).toMatchObject({ name: 'Lipstick', canary: 20, stopAfter: 10 });
    expect(html).toContain('name="canary" type="number" min="1" value="20"');
  },
);

it.each([
  ['0', 0],
  ['2.5', 2.5],
])('takes a share of %s percent, as the command line does', async (stop, stopAfter) => {
  const { send, look } = await openDraft([videoRow('a')]);
  expect((await send('options', { ...options, stop })).html).toContain(`step="any" value="${stop}"`);
  expect((await look()).draft.options).toMatchObject({ stopAfter });
});

it('refuses a share of 100 percent, as the command line does', async () => {
  const { send } = await openDraft([videoRow('a')]);
  const { text } = await send('options', { ...options, stop: '100' });
  expect(text).toContain('Stop after is not a percentage from 0 to below 100.');
});

it('leaves no row out before somebody says so', async () => {
  const { checked, send, runner, pages } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  const { html } = await checked();
  expect(html).not.toMatch(/name="skip" value="yes" checked/);
  const refused = await send('start', { ...options, posts: '1' });
  expect(refused.text).toContain('Nothing was started: 1 row has problems now.');
  const started = await send('start', { ...options, posts: '1', skip: 'yes' });
  expect(await runner.ledger.campaigns.list()).toMatchObject([{ name: 'Lipstick', rows: 1 }]);
  expect(started.text).toContain('1 row skipped at the start, with its problems');
  const [, sheet = ''] = /href="([^"]*sheet\/problems)" download/.exec(started.html) ?? [];
  const { status, text } = await pages.get(sheet);
  expect(status).toBe(200);
  expect(text).toContain('Caption b');
  expect(text).not.toContain('Caption a');
});

it('saves what was typed before a start, and starts nothing yet', async () => {
  const { checked, send, runner } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  const cell = /name="(c\.2\.\d+)"/.exec((await checked()).html)?.[1] ?? '';
  const { text } = await send('start', { posts: '1', skip: 'yes', [cell]: product });
  expect(text).toContain('1 row edited. No problems left. Nothing was started yet');
  expect(text).toContain('Start 2 posts');
  expect(await runner.ledger.campaigns.list()).toEqual([]);
});

it('starts nothing after a change by somebody else, and says so', async () => {
  const { checked, fieldsOf, pages, path, edit } = await openDraft([
    videoRow('a', good),
    videoRow('b', good),
  ]);
  const form = { ...fieldsOf((await checked()).html), posts: '2' };
  await edit({ leaveOut: [2] });
  const { text } = await pages.post(`${path}/start`, form);
  expect(text).toMatch(/Nothing was started: the draft has since been changed by .*/);
  expect(text).toContain('Check the current draft, then try again.');
});

it('leads to the campaign however often Start is pressed', async () => {
  const { checked, fieldsOf, pages, path, runner } = await openDraft([videoRow('a', good)]);
  const form = { ...fieldsOf((await checked()).html), ...options, posts: '1' };
  const press = () => pages.post(`${path}/start`, form);
  const [one, other] = await Promise.all([press(), press()]);
  const again = await press();
  const back = await pages.get(path);
  for (const { status, text } of [one, other, again, back]) {
    expect(status).toBe(200);
    expect(text).toContain('1 row · 1 creator');
  }
  const told = [one, other, again].map(({ text }) => text.includes('Nothing was started a second time.'));
  expect(told.filter(Boolean)).toHaveLength(2);
  expect(await runner.ledger.campaigns.list()).toHaveLength(1);
});

it('makes the ticked rows the canary', async () => {
  const { send, look } = await openDraft([videoRow('a', good), videoRow('b', good), videoRow('c', good)]);
  const { text } = await send('canary?ticked=yes', { ...options, tick: '3' });
  expect(text).toContain('The canary is 1 chosen row.');
  expect(text).toContain('1 post goes out first: the chosen rows.');
  expect((await look()).draft.options).toMatchObject({
    name: 'Lipstick',
    canary: { rows: [3] },
    stopAfter: 10,
  });
});

it('asks before the first post, and begins with the canary that was chosen', async () => {
  const later = { ...good, scheduled_at: '2031-03-12 18:00', scheduled_tz: 'UTC' };
  const rows = [videoRow('a', later), videoRow('b', good), videoRow('c', lost), aiVideoRow('d', later)];
  const { send, look, runner, pages, path } = await openDraft(rows);
  const fields = { ...options, canary: '', 'canary-by': 'kinds', skip: 'yes' };
  const asked = await send('ask', fields);
  expect(asked.text).toContain('Start 3 posts?');
  expect(asked.text).toContain('Posted as soon as ready 1 post');
  expect(asked.text).toMatch(/Scheduled 2 posts: first Wed 12 Mar 2031, [\d:]+, last Wed 12 Mar 2031/);
  expect(asked.text).toContain('AI outputs to pay for 1 AI output');
  expect(asked.text).toContain('2 posts go out first: one row of each kind, b (video), d (AI video).');
  expect(asked.text).toContain('1 of the 2 is planned for more than 7 days ahead: a poor canary');
  expect(asked.text).toContain('pauses if more than 10% fail or are in review');
  expect(asked.text).toContain('Skipped with problems 1 row line 4: the ');
  expect(asked.text).toContain('Posted already, or repeated none found');
  expect(asked.html).not.toContain('name="sure"');
  expect(await runner.ledger.campaigns.list()).toEqual([]);
  const page = (await pages.get(path)).text;
  expect(page).toContain('pauses after one row of each kind');
  expect(page).toContain('pauses if more than 10% fail');

  const version = /name="version" value="(\d+)"/.exec(asked.html)?.[1] ?? '';
  const { text } = await pages.post(`${path}/start`, { version, posts: '3' });
  expect(text).toContain('Started: 3 posts of Lipstick.');
  expect(text).toMatch(
    /started \d\d:\d\d by \S+ · canary of 2 \(one row of each kind\) · pauses if more than 10% fail · 1 row skipped/,
  );
  const { campaign: id = '' } = (await look()).draft;
  await runner.start();
  await runner.until(async () => (await runner.ledger.campaigns.find(id))?.state === 'paused', 'the canary');
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['waiting', 'posted', 'posted']);
  const paused = (await pages.get(`/campaigns/${id}`)).text;
  expect(paused).toContain('Paused after the canary: one row of each kind ended');
  expect(paused).toMatch(/release the other row: \d calls, no AI outputs, no wait for rate limits\./);
  await pages.post(`/campaigns/${id}/resume`, {});
  expect((await runner.ended(id)).counts.posted).toBe(3);
});

it('asks whether posts with AI media wait for an approval', async () => {
  const { checked, pages, look, send, runner } = await openDraft([videoRow('a'), aiVideoRow('b')]);
  await checked();
  const { id } = (await look()).draft;
  const question = await pages.get(`/campaigns/new/${id}/start`);
  expect(question.text).toContain('Posts with AI media (1 output)');
  expect(question.html).toMatch(/name="approve" value="none" checked/);
  await send('start', { posts: '2', approve: 'generated' });
  expect(await runner.ledger.campaigns.list()).toMatchObject([{ rows: 2, approve: 'generated' }]);
});

it.for([
  [{}, {}],
  [
    { approve: 'generated', lead: 3_600_000 },
    { approve: 'generated', lead: '1h' },
  ],
] as const)('a new draft takes the choices of the newest campaign over: %j', async ([options, chosen]) => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  await runner.importOrUpdate([videoRow('b')], options);
  expect(await rememberedOptions(pages.runtime)).toEqual(chosen);
});

it('does not ask for fewer approvals than the settings, whatever the newest campaign did', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  await runner.importOrUpdate([videoRow('b')], { approve: 'generated' });
  const { runtime } = pages;
  const strict = { ...runtime, settings: { ...runtime.settings, approve: 'all' } } as const;
  expect(await rememberedOptions(strict)).toEqual({});
});

it('says before the start how many posts wait for an approval', async () => {
  const { send, checked, pages, look } = await openDraft([videoRow('a'), aiVideoRow('b')]);
  await send('options', { ...options, approve: 'all' });
  await checked();
  const question = await pages.get(`/campaigns/new/${(await look()).draft.id}/start`);
  expect(question.text).toContain('Wait for an approval 2 posts. None is sent until it is approved.');
  expect(question.text).toContain('Posted as soon as approved 2 posts');
});

it('does not ask about an approval where nothing is generated', async () => {
  const { checked, pages, look } = await openDraft([videoRow('a')]);
  await checked();
  const question = await pages.get(`/campaigns/new/${(await look()).draft.id}/start`);
  expect(question.html).not.toContain('name="approve"');
});

it('names the day when the service gets the first post, also if that is today', async () => {
  const time = { scheduled_at: '2031-03-12 18:00Z' };
  const now = () => Date.UTC(2031, 2, 10, 8);
  const testDraft = await openTestDraft([videoRow('a', time)], { now });
  const { drafts, id, look, pages } = testDraft;
  const { version } = (await look()).draft;
  await drafts.choose(id, { by: 'ann', version }, { lead: '2d' });
  await checkedPage(testDraft, id);
  const { text } = await pages.get(`/campaigns/new/${id}/start`);
  expect(text).toMatch(/the service gets the first Mon 10 Mar, \d\d:00, the last Mon 10 Mar, /);
});
