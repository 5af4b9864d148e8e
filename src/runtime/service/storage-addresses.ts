/**
 * Restricts the addresses of presigned URLs. A service, or somebody who poses as it, must not direct uploads into the runner's
 * own network.
 */
import type { buildConnector } from 'undici';
import type { Settings } from '../../../config/schema.ts';
import { UploadAddressRefusedError } from '../../api/errors.ts';
import { AddressPolicy } from '../../media/addresses.ts';
import { MediaError } from '../../media/errors.ts';

/**
 * @returns a function that creates a connector for undici, with a timeout in milliseconds. Its errors are those of the client.
 */
export function storageConnector({ media }: Settings): (timeoutMs: number) => buildConnector.connector {
  const policy = new AddressPolicy(media.allowPrivateAddresses);
  return (timeoutMs) => {
    const connect = policy.connector(timeoutMs);
    return (options, callback) =>
      connect(options, (...result) => {
        const [error] = result;
        if (error instanceof MediaError) {
          const message = `The presigned URL of the service leads to a private network: ${error.message}`;
          callback(new UploadAddressRefusedError(message, { operation: 'putFile' }), null);
        } else callback(...result);
      });
  };
}
