-- Rule (edit): a person changes one waiting, ready or failed row, which goes back to waiting, if row and sheet are as they were read, and no import
-- into the campaign runs.
-- ARGV: campaign, now, sheet version as read, random id of the change, row, its revision, letters of outdated progress (see `update-row.lua`), chunk,
--   key of the staged chunk ('' when its rows stay as they are), what was changed and by whom, JSON of the header, JSON of the column map, creator
--   as written, JSON of its account ('' for none), version of the index of planned posts as seen ('' for any), then its post, as
--   `add_posts_of_chunk` describes it
-- Returns 'changed' (sheet, index or campaign), 'importing', 'moved' (the row is no longer waiting or failed in its revision, or needs a look),
--   'expired' (the staged chunk) or 'ok'.
--- include update-row.lua
--- include ../earlier-posts.lua
--- include ../planned-posts/planned-posts.lua
local id, now, version, change, row, seen = ARGV[1], time_of(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local letters, chunk, staged, what = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'id', 'store')
if redis.call('EXISTS', campaign .. ':importing') == 1 then return 'importing' end
if not facts[1] or sheet_version(campaign) ~= version or is_cancelled(campaign) or is_overtaken(ARGV[15]) then
  return 'changed'
end
local state, revision = read_state(campaign, row)
if not may_change(state) or revision ~= seen or review_failed(campaign, row, state, revision, now) then return 'moved' end
if state == 'f' and not is_rechecked(campaign, row, now, 'back') then return 'moved' end
if staged ~= '' and not take_chunk(facts[2], chunk, staged) then return 'expired' end

redis.call('HSET', campaign, 'header', ARGV[11], 'map', ARGV[12])
if ARGV[14] ~= '' then redis.call('HSET', campaign .. ':creators', ARGV[13], ARGV[14]) end
forget_outdated(campaign, row, letters)
record_entry(campaign, row, now, '', 'changed', what)
admit_again(campaign, row, state, revision, now)
-- Makes an admission fail that was planned with the old row.
redis.call('HINCRBY', campaign, 'admissions', 1)
change_sheet(campaign, change)
add_posts_of_chunk(id, chunk, 16)
return 'ok'
