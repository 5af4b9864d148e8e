-- Rule (import into): rows of another sheet go into a campaign one stored chunk at a time, all of its rows or none. Only waiting and
-- failed rows are changed, and they go back to waiting. A failed row with an earlier post needs a look that is recent enough.
-- Rule (sheet version): nothing is changed if somebody has changed the campaign's sheet meanwhile.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), sheet version as read, random id of the change, chunk, key of the staged chunk ('' when its rows stay as they are),
--   number of the first new row (the campaign's current row count), how many are new,
--   version of the index of planned posts as seen ('' to add posts whatever came since), how many rows go back to waiting,
--   then for each of them: row, revision, which of its progress is out of date: letters (see `merge.lua`),
--   then the posts of its new and changed rows, as `add_posts_of_chunk` describes it
-- Returns { 'changed' } if somebody was quicker (or the campaign is cancelled, or gone),
--   { 'overtaken' } if somebody has added posts to the index,
--   { 'moved', row, ... } with rows that are no longer waiting or failed in their revision, or need a look, or
--   { 'ok', the new sheet version, the version of the index of planned posts }.
--- include merge.lua
--- include ../earlier-posts.lua
--- include ../damage.lua
--- include ../planned-posts/planned-posts.lua
local id, now, seen, change, chunk, staged = ARGV[1], time_of(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local first_new, new, seen_posts, redone_at = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9], 11
local last = redone_at + tonumber(ARGV[10]) * 3 - 1
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'id', 'store', 'rows')
if not facts[1] or sheet_version(campaign) ~= seen or tonumber(facts[3]) ~= first_new or is_cancelled(campaign) then
  return { 'changed' }
end
if is_overtaken(seen_posts) then return { 'overtaken' } end

mend_campaign(campaign, now)
local moved = { 'moved' }
for at = redone_at, last, 3 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  local is_here = (state == 'w' or state == 'f') and revision == tonumber(ARGV[at + 1])
  local is_damaged = is_here and mend_row(campaign, row, '', '', now)
  if is_damaged then end_damaged(campaign, row, now, 'its progress was lost') end
  local is_gone = is_damaged or not is_here or (state == 'f' and not is_looked(campaign, row, now, 'back'))
  if is_gone or review_failed(campaign, row, state, revision, now) then moved[#moved + 1] = row end
end
if #moved > 1 then return moved end

if staged ~= '' then
  if not take_chunk(facts[2], chunk, staged) then return redis.error_reply('STAGED rows are gone: the import took too long') end
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
local posts_version = add_posts_of_chunk(id, chunk, last + 1)
return { 'ok', change_sheet(campaign, change), posts_version }
