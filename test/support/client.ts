/** A client of the service for one test, closed when it ends. */
import { onTestFinished } from 'vitest';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../src/service/client.ts';
import { patienceMs } from './events.ts';

export const testKey = 'canary-key-5f2a';

export const noTemplates = { confirmUpload: null, uploadCover: null, searchMusic: null, listPosts: null };

export function testClient(baseUrl: string, options: Partial<ServiceClientOptions> = {}): ServiceClient {
  const client = createServiceClient({
    baseUrl,
    apiKey: testKey,
    timeoutMs: patienceMs,
    templates: noTemplates,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The reason of a rejected promise; fails the test if it was not rejected. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('the promise was not rejected');
}

/** A post of one video, as small as the contract allows. */
export const somePost = {
  businessId: '7',
  businessType: 'FILE',
  creatorId: 'c1',
  title: 't',
  platform: 'SOCIAL_SHOP',
  mediaType: 'VIDEO',
  socialShop: { productInfo: { productId: '1', title: 'A product', source: 'SHOP' } },
} as const;
