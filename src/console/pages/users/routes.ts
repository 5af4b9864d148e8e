/** The pages about users. */
import type { Route } from '../../request.ts';
import {
  askPassword,
  askRemove,
  askRemoveToken,
  askRole,
  askToken,
  changePassword,
  changeRole,
  dropToken,
  newToken,
  remove,
} from './changes.ts';
import { add, showUsers } from './list.ts';

const operator = { role: 'operator' } as const;

export const userRoutes: readonly Route[] = [
  { ...operator, method: 'get', path: '/users', handle: showUsers },
  { ...operator, method: 'post', path: '/users', handle: add },
  { ...operator, method: 'get', path: '/users/:name/remove', handle: askRemove },
  { ...operator, method: 'post', path: '/users/:name/remove', handle: remove },
  { ...operator, method: 'get', path: '/users/:name/role', handle: askRole },
  { ...operator, method: 'post', path: '/users/:name/role', handle: changeRole },
  { ...operator, method: 'get', path: '/users/:name/password', handle: askPassword },
  { ...operator, method: 'post', path: '/users/:name/password', handle: changePassword },
  { ...operator, method: 'get', path: '/users/:name/token', handle: askToken },
  {
    ...operator,
    method: 'post',
    path: '/users/:name/token',
    handle: newToken,
    audit: ({ params }) => `${params.name} has a new token.`,
  },
  { ...operator, method: 'get', path: '/users/:name/tokens/:prefix/remove', handle: askRemoveToken },
  { ...operator, method: 'post', path: '/users/:name/tokens/:prefix/remove', handle: dropToken },
];
