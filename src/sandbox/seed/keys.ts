/** Keys that lack permissions, to try out the refusals. The key with all permissions comes from the options. */

import { type ApiOperationId, apiOperations } from '../description/operations.ts';
import type { KeyPermissions } from '../keys.ts';

const all = Object.keys(apiOperations) as ApiOperationId[];
const reading = all.filter((operation) => operation.startsWith('list') || operation === 'searchMusic');

export const seedKeys: Readonly<Record<string, KeyPermissions>> = {
  'sandbox-key-readonly': [...reading, 'fetchPublicVideoData'],
  'sandbox-key-no-post': all.filter((operation) => operation !== 'createCreatorPost'),
  'sandbox-key-no-generation': all.filter((operation) => operation !== 'createAiGenerationSchedule'),
  'sandbox-key-no-upload': all.filter((operation) => operation !== 'createFileUpload'),
  'sandbox-key-no-showcase': all.filter((operation) => operation !== 'addSocialShowcaseProducts'),
};
