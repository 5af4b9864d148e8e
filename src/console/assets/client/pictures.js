/**
 * Draws the small versions that the server does not have, because it decodes nothing. Without this script, their boxes say what they are.
 *
 *     1. `[data-draw]` in sight: loads the file, draws it, shows it in its box, and offers it to the server if the person is an operator
 *     2. a file that is uploaded: the same, from the file itself (`uploads.js`)
 *     3. plays the video of a post in its place
 */
(() => {
  const atOnce = 4;
  const longestMs = 30_000;
  const width = 240;
  const height = 427;
  /** The server takes 40 KB. */
  const qualities = [0.75, 0.5, 0.3];
  const mostBytes = 40_000;
  const usualFrame = 0.1;

  const until = (target, name) =>
    new Promise((done, failed) => {
      target.addEventListener(name, done, { once: true });
      target.addEventListener('error', () => failed(new Error('not readable')), { once: true });
    });

  /** Ends what a damaged file never ends. */
  function within(work) {
    let timer;
    const late = new Promise((_done, failed) => {
      timer = setTimeout(() => failed(new Error('too late')), longestMs);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  /** A JPEG that fills 9:16, as posts are shown. */
  async function draw(source, sourceWidth, sourceHeight) {
    if (!sourceWidth || !sourceHeight) throw new Error('empty');
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const brush = canvas.getContext('2d');
    // What is transparent would be black.
    brush.fillStyle = '#fff';
    brush.fillRect(0, 0, width, height);
    const scale = Math.max(width / sourceWidth, height / sourceHeight);
    const [w, h] = [sourceWidth * scale, sourceHeight * scale];
    brush.drawImage(source, (width - w) / 2, (height - h) / 2, w, h);
    for (const quality of qualities) {
      const drawn = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', quality));
      if (drawn && drawn.size <= mostBytes) return drawn;
    }
    throw new Error('too large');
  }

  /** Not by an `img`: it would decode a photograph twice, and in its full size. */
  async function drawImage(blob) {
    const bitmap = await createImageBitmap(blob, { resizeHeight: height, resizeQuality: 'medium' });
    try {
      return await draw(bitmap, bitmap.width, bitmap.height);
    } finally {
      bitmap.close();
    }
  }

  async function load(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    return answer.blob();
  }

  /** @param at seconds. @param box shows the video while it is loaded. */
  async function drawVideo(address, at, box) {
    const video = Object.assign(document.createElement('video'), {
      muted: true,
      playsInline: true,
      preload: 'metadata',
      src: `${address}#t=${at}`,
    });
    // A small box keeps its place and size; the video fills it.
    if (box && !box.matches('.pic')) video.className = box.className;
    try {
      box?.replaceChildren(video);
      await until(video, 'loadedmetadata');
      // A short video may end before.
      video.currentTime = Math.min(at, Math.max(0, video.duration - usualFrame) || at);
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.seeking)
        await until(video, 'seeked');
      return await draw(video, video.videoWidth, video.videoHeight);
    } finally {
      // Frees its memory and its connection.
      video.removeAttribute('src');
      video.load();
      video.remove();
    }
  }

  async function offer(address, drawn) {
    const proof = document.querySelector('input[name=_csrf]')?.value ?? '';
    const headers = { 'content-type': 'image/jpeg', 'x-csrf-token': proof };
    await fetch(address, { method: 'POST', headers, body: drawn });
  }

  // 1.
  const waiting = [];
  let running = 0;
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const at = waiting.indexOf(target);
        if (isIntersecting && at < 0) waiting.push(target);
        else if (!isIntersecting && at >= 0) waiting.splice(at, 1);
      }
      next();
    },
    { rootMargin: '64px' },
  );

  function next() {
    while (running < atOnce && waiting.length > 0) {
      const box = waiting.shift();
      sight.unobserve(box);
      running += 1;
      within(fill(box))
        // Its box goes on saying what it is.
        .catch(() => undefined)
        .finally(() => {
          running -= 1;
          next();
        });
    }
  }

  async function fill(box) {
    const { draw: address, offer: mayOffer } = box.dataset;
    const kind = box.dataset.type || (await typeOf(address));
    const children = [...box.childNodes];
    let drawn;
    try {
      const at = Number(box.dataset.at ?? usualFrame);
      const isThumb = box.matches('.pic.no');
      // A picture that is shown already comes from the browser's cache.
      const from = box instanceof HTMLImageElement ? box.src : address;
      drawn =
        kind === 'video'
          ? await drawVideo(address, at, isThumb ? box : undefined)
          : await drawImage(await load(from));
    } catch (error) {
      if (box.matches('.pic.no')) box.replaceChildren(...children);
      throw error;
    }
    show(box, URL.createObjectURL(drawn));
    if (mayOffer !== undefined) await offer(address, drawn);
    // The server knows now what the post looks like.
    if (box.matches('.lack')) await renew(box.closest('.screen'));
  }

  /** Also makes the server fetch a file that is on another server. */
  async function typeOf(address) {
    const { ok, headers } = await fetch(address, { method: 'HEAD' });
    const [kind] = (headers.get('content-type') ?? '').split('/');
    if (!ok || (kind !== 'video' && kind !== 'image')) throw new Error('nothing to show');
    return kind;
  }

  function show(box, picture) {
    if (box instanceof HTMLVideoElement) box.poster = picture;
    if (!box.matches('.pic.no')) return;
    const image = new Image(box.offsetWidth, box.offsetHeight);
    Object.assign(image, { className: box.className.replace(' no', ''), alt: '', src: picture });
    box.replaceWith(image);
  }

  async function renew(screen) {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const anew = page.querySelector('.preview .screen');
    if (answer.ok && anew && screen?.isConnected) screen.replaceWith(document.adoptNode(anew));
  }

  const seen = new WeakSet();
  function look() {
    for (const box of document.querySelectorAll('[data-draw]')) {
      if (seen.has(box)) continue;
      seen.add(box);
      sight.observe(box);
    }
  }
  look();
  document.addEventListener('htmx:after:swap', look);

  // 2.
  /** @returns a function that offers the small version of a file, once the file is there. */
  window.drawSmall = (file) => {
    const address = URL.createObjectURL(file);
    const work = file.type.startsWith('video/') ? drawVideo(address, usualFrame) : drawImage(file);
    const drawn = within(work)
      .catch(() => undefined)
      .finally(() => URL.revokeObjectURL(address));
    return async (place) => {
      const small = await drawn;
      if (small) await offer(place, small).catch(() => undefined);
    };
  };

  // 3.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('.screen .play') : undefined;
    const video = link?.closest('.screen').querySelector('video');
    if (!video || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    video.controls = true;
    link.closest('.screen').classList.add('played');
    video.focus();
    video.play().catch(() => undefined);
  });
})();
