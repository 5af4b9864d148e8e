/**
 * Videos of posts. Without this script, their boxes say what they are, and a link leads to the file.
 *
 *     1. loads each where it is in sight, as far as its frame needs it; a cover stays until it plays
 *     2. plays it while the pointer rests on it, unless the person wants no motion
 *     3. plays the video of a post in its place, with sound, when it is pressed
 *     4. loads all of a page before it is printed
 */
// 1.
const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) load(target);
  },
  { rootMargin: '64px' },
);

function load(video) {
  sight.unobserve(video);
  if (video.hasAttribute('src')) return;
  // Not set by its attribute where htmx has put it.
  video.muted = true;
  video.src = video.dataset.src;
}

function look() {
  for (const video of document.querySelectorAll('video[data-src]:not([src])')) sight.observe(video);
}
look();
document.addEventListener('htmx:after:swap', look);

// 2.
const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
const boxOf = (target) => target instanceof Element && target.closest('.pic, .screen:not(.played)');

document.addEventListener('pointerover', ({ target }) => {
  const video = boxOf(target)?.querySelector?.('video[src]');
  if (!video || isCalm.matches) return;
  video.loop = true;
  video.play().catch(() => undefined);
});
document.addEventListener('pointerout', ({ target, relatedTarget }) => {
  const box = boxOf(target);
  if (!box || box.contains(relatedTarget)) return;
  const video = box.querySelector('video[src]');
  if (!video || video.paused) return;
  video.pause();
  const [, time] = video.src.split('#t=');
  // Loaded again, a video shows its cover.
  if (time === undefined) video.load();
  else video.currentTime = Number(time);
});

// 3.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('.screen .play') : undefined;
  const video = link?.closest('.screen').querySelector('video');
  if (!video || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(video);
  Object.assign(video, { controls: true, loop: false, muted: false, currentTime: 0 });
  link.closest('.screen').classList.add('played');
  video.focus();
  video.play().catch(() => undefined);
});

// 4.
const printWithinMs = 10_000;

export async function loadAll() {
  const videos = [...document.querySelectorAll('video[data-src]')];
  const seen = videos.map(
    (video) =>
      new Promise((done) => {
        for (const event of ['loadeddata', 'error']) video.addEventListener(event, done, { once: true });
        load(video);
        if (video.readyState > 1 || video.error) done();
      }),
  );
  await Promise.race([Promise.all(seen), new Promise((done) => setTimeout(done, printWithinMs))]);
}
