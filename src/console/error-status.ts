/** HTTP statuses of errors of use cases, for pages and the API. */
import { kindOfRefusal, type RefusalKind, type UseCaseErrorCode } from '../runtime/use-case-error.ts';

const statuses: Readonly<Record<RefusalKind, number>> = {
  missing: 404,
  conflict: 409,
  invalid: 422,
  settings: 500,
  service: 502,
  busy: 503,
  full: 507,
};

export function statusOfError(code: UseCaseErrorCode): number {
  return statuses[kindOfRefusal(code)];
}
