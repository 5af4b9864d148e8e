/** The models that generate media, and the seconds of videos, for the help of the commands that take or make sheets. */
import { describeModels } from '../../campaigns/hand-in/template.ts';

const { images, videos } = describeModels();
const widest = Math.max(...videos.map(({ model }) => model.length));

export const modelsHelp = [
  'Models for ai_model:',
  `  images  ${images.slice(0, 3).join(', ')},`,
  `          ${images.slice(3).join(', ')}`,
  '  videos, with their ai_seconds',
  ...videos.map(({ model, seconds }) => `          ${model.padEnd(widest)}  ${seconds.join(', ')}`),
].join('\n');
