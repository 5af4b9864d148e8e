/** Prints the creators whose authorization is valid: node call-the-service.ts */
import { createServiceClient, KeyRefusedError } from 'campaign-runner/api';

const { CREATOR_API_URL: baseUrl = 'http://127.0.0.1:8787', CREATOR_API_KEY: apiKey = 'sandbox-key' } =
  process.env;

await using client = createServiceClient({ baseUrl, apiKey });
try {
  for await (const creator of client.creators.all({ valid: true })) console.log(creator.username);
} catch (error) {
  if (!(error instanceof KeyRefusedError)) throw error;
  console.error(error.fix);
}
