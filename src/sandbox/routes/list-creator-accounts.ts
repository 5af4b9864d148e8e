/** Lists authorized creator accounts (contract, section 4.5). */
import { success } from '../http/answer.ts';
import type { CreatorProfile } from '../store/creators.ts';
import { pageBounds, pageInfo } from './pages.ts';
import { route } from './route.ts';

export const listCreatorAccounts = route('listCreatorAccounts', (request, _call, surroundings) => {
  const { offset, limit } = pageBounds(request, surroundings);
  const { list, total } = surroundings.store.creators.page(request, offset, limit);
  return success({ list: list.map(shown), ...pageInfo(request, limit, total) });
});

/** Hides expiry and scopes: the contract shows neither, so a caller learns of them when a call fails. */
function shown({ expired, scopes, ...account }: CreatorProfile) {
  return account;
}
