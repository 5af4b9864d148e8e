-- Rule (import): staged rows become a campaign, or nothing happens. The same manifest is imported twice only if the caller asks for it.
-- Rule (origin): a repeated request gets the campaign that it created, even if it asks for another import.
-- KEYS[1]: prefix of all keys.
-- ARGV: sha256, again ('1' to import it once more), now (ms; '' for the clock of Redis), store, chunks, rows,
--   digest of the request ('' for none), how long it is remembered (ms),
--   version of the index of planned posts as seen ('' to add posts whatever came since), its segment, how long that is kept (ms),
--   runs of staged posts, blocks: JSON list of { first, chunk, count }, rows of the canary: JSON list ([] for the first ones),
--   n, then n arguments: field, value, ... of the campaign's facts,
--   creator, JSON, ... of its creators
-- Returns { id, 'created' | 'known' (imported before) | 'repeated' (by this request) }, or { '', 'overtaken' } if somebody has added
--   posts to the index since.
--- include ../rows.lua
--- include ../planned-posts/planned-posts.lua
local sha256, again, now, store = ARGV[1], ARGV[2], time_of(ARGV[3]), ARGV[4]
local chunks, rows, origin, remembered = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
local seen, segment, kept, runs, blocks = ARGV[9], ARGV[10], ARGV[11], tonumber(ARGV[12]), cjson.decode(ARGV[13])
local canary, facts, facts_at = cjson.decode(ARGV[14]), tonumber(ARGV[15]), 16

local earlier = redis.call('HGET', prefix .. ':manifests', sha256)
-- The connection repeats a command whose reply was lost. Then the campaign of these rows exists already.
if earlier and redis.call('HGET', campaign_key(earlier), 'store') == store then return { earlier, 'created' } end
local origin_key = prefix .. ':origin:' .. origin
local own = origin ~= '' and redis.call('GET', origin_key)
if own and redis.call('EXISTS', campaign_key(own)) == 1 then return { own, 'repeated' } end
if earlier and again ~= '1' and redis.call('EXISTS', campaign_key(earlier)) == 1 then return { earlier, 'known' } end
if is_overtaken(seen) then return { '', 'overtaken' } end

local posts = {}
for run = 0, runs - 1 do
  local key = prefix .. ':staged-posts:' .. store .. ':' .. run
  local buckets = redis.call('HGETALL', key)
  if #buckets == 0 then return redis.error_reply('STAGED posts are gone: the import took too long') end
  for at = 1, #buckets, 2 do posts[buckets[at]] = buckets[at + 1] .. (posts[buckets[at]] or '') end
end
for chunk = 0, chunks - 1 do
  if redis.call('PERSIST', prefix .. ':rows:' .. store .. ':' .. chunk) == 0 then
    return redis.error_reply('STAGED rows are gone: the import took too long')
  end
end
local made = redis.call('INCR', prefix .. ':campaign-number')
local id = 'c' .. made
local campaign = campaign_key(id)
redis.call('HSET', campaign, 'id', id, 'sha256', sha256, 'store', store, 'rows', rows, 'created', now, 'state', 'running',
  'cursor', 0, 'waiting', rows, 'running', 0, 'posted', 0, 'failed', 0, 'review', 0, 'cancelled', 0, 'asleep', 0, 'posts-known', #blocks > 0 and 1 or 0,
  unpack(ARGV, facts_at, facts_at + facts - 1))
-- Two bytes a row: `w`, revision 0. Doubling takes only twenty steps for a million rows.
local states, wanted = 'w' .. string.char(0), rows * 2
while #states < wanted do states = states .. states end
redis.call('SET', campaign .. ':states', string.sub(states, 1, wanted))
-- Rule (canary): chosen rows are admitted before the others, like those sent back to waiting.
for _, row in ipairs(canary) do redis.call('ZADD', campaign .. ':redo', row, row) end
for at = facts_at + facts, #ARGV, 200 do
  redis.call('HSET', campaign .. ':creators', unpack(ARGV, at, math.min(at + 199, #ARGV)))
end
redis.call('HSET', prefix .. ':manifests', sha256, id)
redis.call('ZADD', prefix .. ':campaigns', now, id)
if #blocks > 0 then
  local version = next_posts_version()
  for _, block in ipairs(blocks) do own_posts(segment, kept, version, block[1], id, block[2], block[3]) end
  for bucket, entries in pairs(posts) do add_posts(segment, kept, bucket, entries) end
  for run = 0, runs - 1 do redis.call('UNLINK', prefix .. ':staged-posts:' .. store .. ':' .. run) end
end
if origin ~= '' then redis.call('SET', origin_key, id, 'PX', remembered) end
return { id, 'created' }
