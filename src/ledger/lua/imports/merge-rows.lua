-- Rule (import into): rows of another sheet go into a campaign one stored chunk at a time, all of its rows or none. Only waiting and
-- failed rows are changed, and they go back to waiting.
-- Rule (sheet version): nothing is changed if somebody has changed the campaign's sheet meanwhile. The version is stored in the
-- field `edits`.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), sheet version as read, chunk, key of the staged chunk ('' when its rows stay as they are),
--   number of the first new row (the campaign's current row count), how many are new,
--   version of the index of planned posts as seen ('' to add posts whatever came since), how many rows go back to waiting,
--   then for each of them: row, revision, which of its progress is out of date: letters (see `merge.lua`),
--   then the posts of its new and changed rows, as `add_posts_of_chunk` describes it
-- Returns { 'changed' } if somebody was quicker (or the campaign is cancelled, or gone),
--   { 'overtaken' } if somebody has added posts to the index,
--   { 'moved', row, ... } with rows that are no longer waiting or failed in their revision, or
--   { 'ok', the new sheet version, the version of the index of planned posts }.
--- include merge.lua
--- include ../planned-posts/planned-posts.lua
local id, now, sheet_version, chunk, staged = ARGV[1], time_of(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]
local first_new, new, seen, redone_at = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8], 10
local last = redone_at + tonumber(ARGV[9]) * 3 - 1
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'id', 'edits', 'store', 'rows')
if not facts[1] or (facts[2] or '0') ~= sheet_version or tonumber(facts[4]) ~= first_new or is_cancelled(campaign) then
  return { 'changed' }
end
if is_overtaken(seen) then return { 'overtaken' } end

local moved = { 'moved' }
for at = redone_at, last, 3 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  if (state ~= 'w' and state ~= 'f') or revision ~= tonumber(ARGV[at + 1]) then moved[#moved + 1] = row end
end
if #moved > 1 then return moved end

if staged ~= '' then
  if not take_chunk(facts[3], chunk, staged) then return redis.error_reply('STAGED rows are gone: the import took too long') end
end

for at = redone_at, last, 3 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  forget_outdated(campaign, row, ARGV[at + 2])
  if state == 'w' then tell_on(campaign, row, now, 'changed') end
  admit_again(campaign, row, state, revision, now, state == 'f' and 'changed' or nil)
end

if new > 0 then
  redis.call('SETRANGE', campaign .. ':states', first_new * 2, string.rep('w' .. string.char(0), new))
  redis.call('HINCRBY', campaign, 'rows', new)
  redis.call('HINCRBY', campaign, 'waiting', new)
  follow_counters(campaign, now)
end
-- Makes an admission fail that was planned with the old rows.
redis.call('HINCRBY', campaign, 'admissions', 1)
local version = add_posts_of_chunk(id, chunk, last + 1)
return { 'ok', redis.call('HINCRBY', campaign, 'edits', 1), version }
