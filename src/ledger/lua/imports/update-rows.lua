-- Rule (import into): rows of another sheet go into a campaign one stored chunk at a time, all of its rows or none, if nobody has changed the
-- campaign's sheet meanwhile. Only waiting, ready and failed rows are changed, and they go back to waiting.
-- ARGV: campaign, now, sheet version as read, random id of the change, chunk, key of the staged chunk ('' when its rows stay as they are), first
--   new row (the campaign's current row count), how many are new, version of the index of planned posts as seen ('' for any), for each new row
--   whether it may repeat a post ('1' or '0'), how many rows go back to waiting, then for each of them: row, revision, letters of outdated progress
--   (see `update-row.lua`), then the posts of new and changed rows, as `add_posts_of_chunk` describes it
-- Returns { 'changed' } somebody was quicker | { 'overtaken' } the index has other posts now | { 'moved', row, ... } rows that are no longer
--   waiting or failed in their revision, or need a look | { 'ok', the new sheet version, the version of the index }.
--- include update-row.lua
--- include ../earlier-posts.lua
--- include ../damage.lua
--- include ../planned-posts/planned-posts.lua
local id, now, seen, change, chunk, staged = ARGV[1], time_of(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local first_new, new, seen_posts, redone_at = tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9], 12
local last = redone_at + tonumber(ARGV[11]) * 3 - 1
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'id', 'store', 'rows')
if not facts[1] or sheet_version(campaign) ~= seen or tonumber(facts[3]) ~= first_new or is_cancelled(campaign) then
  return { 'changed' }
end
if is_overtaken(seen_posts) then return { 'overtaken' } end

-- No error of a key may end this script half-way.
refuse_damaged(campaign)
local moved = { 'moved' }
for at = redone_at, last, 3 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  local is_here = may_change(state) and revision == tonumber(ARGV[at + 1])
  redis.call('HLEN', campaign .. ':work:' .. row)
  local is_gone = not is_here or (state == 'f' and not is_rechecked(campaign, row, now, 'back'))
  if is_gone or review_failed(campaign, row, state, revision, now) then moved[#moved + 1] = row end
end
if #moved > 1 then return moved end

if staged ~= '' and not take_chunk(facts[2], chunk, staged) then
  return redis.error_reply('STAGED rows are gone: the import took too long')
end

for at = redone_at, last, 3 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  forget_outdated(campaign, row, ARGV[at + 2])
  if state ~= 'f' then record_if_begun(campaign, row, now, 'changed') end
  admit_again(campaign, row, state, revision, now, state == 'f' and 'changed' or nil)
end

if new > 0 then
  redis.call('SETRANGE', campaign .. ':states', first_new * 2, string.rep('w' .. string.char(0), new))
  for index = 1, new do
    if string.sub(ARGV[10], index, index) == '1' then redis.call('SETBIT', campaign .. ':again', first_new + index - 1, 1) end
  end
  redis.call('HINCRBY', campaign, 'rows', new)
  redis.call('HINCRBY', campaign, 'waiting', new)
  follow_counters(campaign, now)
end
-- Makes an admission fail that was planned with the old rows.
redis.call('HINCRBY', campaign, 'admissions', 1)
local posts_version = add_posts_of_chunk(id, chunk, last + 1)
return { 'ok', change_sheet(campaign, change), posts_version }
