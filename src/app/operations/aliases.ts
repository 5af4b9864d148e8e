/** Aliases: names in sheets, and the creators and products that they mean. */
import { z } from 'zod';
import {
  type Alias,
  aliasKinds,
  aliasSchema,
  longestName,
  readAliases,
} from '../campaigns/import/aliases.ts';
import { removeAlias, setAlias } from '../drafts/aliases.ts';
import { drafts } from './operation.ts';

const documentSchema = aliasSchema.omit({ draft: true, at: true }).extend({ changedAt: z.string() });

const text = z.string().min(1).max(longestName);
const named = { kind: z.enum(aliasKinds), name: text };

export const aliasOperations = {
  listAliases: drafts.see('GET /aliases', {
    summary: 'List what names in sheets mean, the newest first',
    description:
      'Fixing a creator or product that the service does not know saves an alias. Later sheets with that name get the fix as a suggestion.',
    answer: z.strictObject({ aliases: z.array(documentSchema) }),
    handle: async ({ runtime }) => ({ aliases: (await readAliases(runtime)).map(documentOf).reverse() }),
  }),
  setAlias: drafts.edit('PUT /aliases', {
    summary: 'Save an alias: which creator or product a name means',
    problems: ['draft_not_stored'],
    body: z.strictObject({ ...named, means: text }),
    answer: documentSchema,
    handle: async ({ runtime, person }, { kind, name, means }) =>
      documentOf(await setAlias(runtime, { kind, name, means, by: person.name })),
    audit: (_input, { kind, name, means }) => `Saved the ${kind} alias ${name} for ${means}.`,
  }),
  removeAlias: drafts.edit('DELETE /aliases', {
    summary: 'Remove an alias',
    problems: ['draft_not_stored'],
    query: named,
    answer: z.strictObject({ removed: z.boolean() }),
    handle: async ({ runtime }, { kind, name }) => ({ removed: await removeAlias(runtime, kind, name) }),
    audit: ({ kind, name }, { removed }) => (removed ? `Removed the ${kind} alias ${name}.` : undefined),
  }),
};

function documentOf({ kind, name, means, by, at }: Alias) {
  return { kind, name, means, by, changedAt: new Date(at).toISOString() };
}
