-- Rule (import): staged rows become a campaign, or nothing happens. A manifest is imported twice only if the caller asks for it.
-- Rule (origin): a repeated request gets the campaign that it created, even if it asks for another import.
-- ARGV: sha256, again ('1' to import it once more), now, store, chunks, rows,
--   digest of the request ('' for none), how long it is remembered (ms),
--   version of the index of planned posts as seen ('' for any), its segment, how long that is kept (ms),
--   first block of its posts, number of blocks, rows of the canary: JSON list ([] for the first ones),
--   rows that may repeat a post: JSON list (with `again`: all of them),
--   n, then n arguments: field, value, ... of the campaign's facts,
--   creator, JSON, ... of its creators
-- Returns { id, 'created' | 'known' (imported before) | 'repeated' (by this request) } | { '', 'overtaken' } the index has other posts now.
--- include ../rows.lua
--- include ../sheet.lua
--- include ../planned-posts/planned-posts.lua
local sha256, again, now, store = ARGV[1], ARGV[2], time_of(ARGV[3]), ARGV[4]
local chunks, rows, origin, remembered = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8]
local seen, segment, kept, first_block, blocks = ARGV[9], ARGV[10], ARGV[11], ARGV[12], tonumber(ARGV[13])
local canary, repeating, facts, facts_at = cjson.decode(ARGV[14]), cjson.decode(ARGV[15]), tonumber(ARGV[16]), 17

local earlier = redis.call('HGET', prefix .. ':manifests', sha256)
-- The connection repeats a command whose reply was lost. Then the campaign of these rows exists already.
if earlier and redis.call('HGET', campaign_key(earlier), 'store') == store then return { earlier, 'created' } end
local origin_key = prefix .. ':origin:' .. origin
local own = origin ~= '' and redis.call('GET', origin_key)
if own and redis.call('EXISTS', campaign_key(own)) == 1 then return { own, 'repeated' } end
if earlier and again ~= '1' and redis.call('EXISTS', campaign_key(earlier)) == 1 then return { earlier, 'known' } end
if is_overtaken(seen) then return { '', 'overtaken' } end

for chunk = 0, chunks - 1 do
  if redis.call('PERSIST', prefix .. ':rows:' .. store .. ':' .. chunk) == 0 then
    return redis.error_reply('STAGED rows are gone: the import took too long')
  end
end
local id = 'c' .. redis.call('INCR', prefix .. ':campaign-number')
local campaign = campaign_key(id)
redis.call('HSET', campaign, 'id', id, 'sha256', sha256, 'store', store, 'rows', rows, 'created', now, 'state', 'running',
  'cursor', 0, 'waiting', rows, 'running', 0, 'ready', 0, 'posted', 0, 'failed', 0, 'review', 0, 'cancelled', 0, 'asleep', 0,
  unpack(ARGV, facts_at, facts_at + facts - 1))
-- Two bytes a row: `w`, revision 0. Doubling takes only twenty steps for a million rows.
local states, wanted = 'w' .. string.char(0), rows * 2
while #states < wanted do states = states .. states end
redis.call('SET', campaign .. ':states', string.sub(states, 1, wanted))
-- Rule (same post): see `same-post.lua`.
if again == '1' then redis.call('SET', campaign .. ':again', string.rep('\255', math.ceil(rows / 8))) end
for _, row in ipairs(repeating) do redis.call('SETBIT', campaign .. ':again', row, 1) end
-- Rule (canary): chosen rows are admitted before all others, also before those that are edited meanwhile.
for _, row in ipairs(canary) do redis.call('ZADD', campaign .. ':redo', row - 1e9, row) end
set_creators(campaign, facts_at + facts)
redis.call('HSET', prefix .. ':manifests', sha256, id)
redis.call('ZADD', prefix .. ':campaigns', now, id)
if blocks > 0 then own_posts(segment, kept, next_posts_version(), first_block, id, 0, blocks) end
if origin ~= '' then redis.call('SET', origin_key, id, 'PX', remembered) end
return { id, 'created' }
