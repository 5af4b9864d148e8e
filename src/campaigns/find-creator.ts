/** Finds the one creator that a name on the command line stands for. */
import type { ServiceClient } from '../api/client.ts';
import type { CreatorAccount } from '../api/contract/creators.ts';
import type { Through } from '../api/paging.ts';
import { CommandError } from '../cli/exit.ts';
import { createCreatorLookUp } from '../importers/check/creators.ts';

/**
 * @param name username, `creatorId` or account id.
 * @throws {CommandError} where no account bears the name, or several do; and {ApiError}.
 */
export async function findCreator(
  client: ServiceClient,
  through: Through,
  name: string,
): Promise<CreatorAccount> {
  const find = createCreatorLookUp((query) =>
    through('listCreatorAccounts', () => client.creators.list(query)),
  );
  const [account, ...others] = (await find([name])).get(name) ?? [];
  if (account === undefined) {
    throw new CommandError(`the service has no creator ${name}`, {
      cure: 'See all with: campaigns creators',
    });
  }
  if (others.length > 0) {
    const ids = [account, ...others].map(({ creatorId }) => creatorId).join(', ');
    throw new CommandError(`several accounts bear the name ${name}`, { cure: `Give the creatorId: ${ids}` });
  }
  return account;
}
