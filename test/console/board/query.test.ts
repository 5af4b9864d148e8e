import { appRoutes } from '@bull-board/api/dist/routes.js';
import { requestSchemas } from '@bull-board/api/dist/schemas/requests.js';
import { expect, it } from 'vitest';
import { boundNumbers } from '../../../src/console/board/guard.ts';
import { openConsoleApp } from '../../support/console/console-app.ts';

const huge = '1000000000';

interface Schema {
  readonly entries: Readonly<Record<string, Schema>>;
  readonly '~standard': { validate(value: unknown): { readonly value?: unknown } };
}

const parsed = (schema: Schema, value: unknown) => schema['~standard'].validate(value).value;

/** Queries of the installed board's routes, each with a huge number in every field that takes one. */
function hugeQueries() {
  return appRoutes.api.flatMap(({ method, route, spec }) => {
    if (method !== 'get' || !('query' in spec)) return [];
    const schema = requestSchemas[spec.query] as unknown as Schema;
    const query = Object.fromEntries(
      Object.entries(schema.entries).flatMap(([name, field]) =>
        typeof parsed(field, huge) === 'number' ? [[name, huge]] : [],
      ),
    );
    return [{ route: String(route), schema, query }];
  });
}

const limits: Readonly<Record<string, number>> = { page: 1_000_000 };

it('no number of a query of Bull Board is without a bound, for the installed version', () => {
  const queries = hugeQueries();
  expect(queries.flatMap(({ query }) => Object.keys(query))).toEqual(
    expect.arrayContaining(['page', 'jobsPerPage', 'depth', 'maxChildren']),
  );
  for (const { route, schema, query } of queries) {
    const numbers = Object.entries(parsed(schema, boundNumbers(query)) as object);
    for (const [name, number] of numbers.filter(([, value]) => typeof value === 'number'))
      expect(number, `${route} ${name}`).toBeLessThanOrEqual(limits[name] ?? 200);
  }
});

it('usual numbers, and fields of other kinds, stay', () => {
  const query = { activeQueue: 'post', status: 'latest', page: '3', jobsPerPage: '50', root: 'node' };
  expect(boundNumbers(query)).toEqual(query);
});

it.each(['failed', 'latest', 'waiting', 'waiting-children', 'delayed'])(
  'a page of %s jobs has a hundred at most of each state, whatever is asked for',
  async (status) => {
    const { board, queues } = await openConsoleApp();
    const queue = await queues.queue('post');
    await queue.addBulk(
      Array.from({ length: 150 }, (_, row) => ({ name: 'post', data: { c: 'c1', r: row, v: 0 } })),
    );
    const sought = `queues?activeQueue=post&status=${status}`;
    for (const more of [`&jobsPerPage=${huge}`, '&jobsPerPage=1e9', `&page=${huge}&jobsPerPage=${huge}`]) {
      const { status: answered, body } = await board.read(`${sought}${more}`);
      const { queues: lists } = body as { queues: { name: string; jobs: unknown[] }[] };
      expect(answered).toBe(200);
      expect(lists.find(({ name }) => name === 'post')?.jobs.length).toBeLessThanOrEqual(100);
    }
  },
);

it('every route of Bull Board answers a huge number in each field of its query', async () => {
  const { board, addRow } = await openConsoleApp();
  await addRow(0);
  for (const { route, query } of hugeQueries()) {
    const path = route.replace('/api/', '').replace(':queueName', 'post').replace(':jobId', 'c1-0-0-post');
    const { status } = await board.read(`${path}?${new URLSearchParams(query)}`);
    expect(status, path).toBe(200);
  }
});
