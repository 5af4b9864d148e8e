-- Rule (import): staged rows become a campaign, or nothing happens. The same manifest is imported twice only if the caller asks for it.
-- Rule (origin): a repeated request gets the campaign that it created, even if it asks for another import.
-- KEYS[1]: prefix of all keys.
-- ARGV: sha256, again ('1' to import it once more), now (ms; '' for the clock of Redis), store, chunks, rows,
--   digest of the request ('' for none), how long it is remembered (ms),
--   n, then n arguments: field, value, ... of the campaign's facts,
--   creator, JSON, ... of its creators
-- Returns { id, 'created' | 'known' (imported before) | 'repeated' (by this request) }.
--- include ../rows.lua
local sha256, again, now, store = ARGV[1], ARGV[2], time_of(ARGV[3]), ARGV[4]
local chunks, rows, origin, remembered, facts = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7], ARGV[8], tonumber(ARGV[9])

local earlier = redis.call('HGET', prefix .. ':manifests', sha256)
-- The connection repeats a command whose reply was lost. Then the campaign of these rows exists already.
if earlier and redis.call('HGET', campaign_key(earlier), 'store') == store then return { earlier, 'created' } end
local origin_key = prefix .. ':origin:' .. origin
local made = origin ~= '' and redis.call('GET', origin_key)
if made and redis.call('EXISTS', campaign_key(made)) == 1 then return { made, 'repeated' } end
if earlier and again ~= '1' and redis.call('EXISTS', campaign_key(earlier)) == 1 then return { earlier, 'known' } end

for chunk = 0, chunks - 1 do
  if redis.call('PERSIST', prefix .. ':rows:' .. store .. ':' .. chunk) == 0 then
    return redis.error_reply('STAGED rows are gone: the import took too long')
  end
end
local id = 'c' .. redis.call('INCR', prefix .. ':campaign-number')
local campaign = campaign_key(id)
redis.call('HSET', campaign, 'id', id, 'sha256', sha256, 'store', store, 'rows', rows, 'created', now, 'state', 'running',
  'cursor', 0, 'waiting', rows, 'running', 0, 'posted', 0, 'failed', 0, 'review', 0, 'cancelled', 0, 'asleep', 0,
  unpack(ARGV, 10, 9 + facts))
-- Two bytes a row: `w`, revision 0. Doubling takes only twenty steps for a million rows.
local states, wanted = 'w' .. string.char(0), rows * 2
while #states < wanted do states = states .. states end
redis.call('SET', campaign .. ':states', string.sub(states, 1, wanted))
for at = 10 + facts, #ARGV, 200 do
  redis.call('HSET', campaign .. ':creators', unpack(ARGV, at, math.min(at + 199, #ARGV)))
end
redis.call('HSET', prefix .. ':manifests', sha256, id)
redis.call('ZADD', prefix .. ':campaigns', now, id)
if origin ~= '' then redis.call('SET', origin_key, id, 'PX', remembered) end
return { id, 'created' }
