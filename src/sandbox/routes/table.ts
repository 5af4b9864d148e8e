/** Every operation and its handler. */
import { apiOperations } from '../description/operations.ts';
import { addSocialShowcaseProducts } from './add-social-showcase-products.ts';
import { confirmUpload } from './confirm-upload.ts';
import { createAiGenerationSchedule } from './create-ai-generation-schedule.ts';
import { createCreatorPost } from './create-creator-post.ts';
import { createFileUpload } from './create-file-upload.ts';
import { fetchPublicVideoData } from './fetch-public-video-data.ts';
import { listAiTasksByScheduleId } from './list-ai-tasks-by-schedule-id.ts';
import { listCreatorAccounts } from './list-creator-accounts.ts';
import { listPosts } from './list-posts.ts';
import { listSocialShowcaseProducts } from './list-social-showcase-products.ts';
import type { Route } from './route.ts';
import { searchMusic } from './search-music.ts';
import { uploadCover } from './upload-cover.ts';

const routes: readonly Route[] = [
  createCreatorPost,
  createAiGenerationSchedule,
  listAiTasksByScheduleId,
  addSocialShowcaseProducts,
  listCreatorAccounts,
  createFileUpload,
  listSocialShowcaseProducts,
  fetchPublicVideoData,
  confirmUpload,
  uploadCover,
  searchMusic,
  listPosts,
];

/** By method and path, as in `POST /v1/file/presign`. */
export const routeTable: ReadonlyMap<string, Route> = new Map(
  routes.map((route) => {
    const { method, path } = apiOperations[route.operation];
    return [`${method} ${path}`, route];
  }),
);
