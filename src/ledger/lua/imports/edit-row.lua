-- Rule (edit): a person changes one waiting or failed row, which goes back to waiting. Nothing is changed unless the row is in the
-- revision that the person saw, the sheet is in the version that was read, and no import into the campaign runs.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), sheet version as read, row, its revision, letters of outdated progress (see `merge.lua`),
--   chunk, key of the staged chunk ('' when its rows stay as they are), what was changed and by whom, for the row's story,
--   JSON of the header, JSON of the column map, creator as written, JSON of its account ('' for none),
--   version of the index of planned posts as seen ('' to add its post whatever came since), then its post, as `add_posts_of_chunk` describes it
-- Returns 'changed' (the sheet or the index of planned posts, or the campaign is cancelled or gone), 'importing', 'moved' (the row is no longer waiting or failed
--   in its revision), 'expired' (the staged chunk) or 'ok'.
--- include merge.lua
--- include ../planned-posts/planned-posts.lua
local id, now, sheet_version, row, seen = ARGV[1], time_of(ARGV[2]), ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local letters, chunk, staged, what = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local campaign = campaign_key(id)
local facts = redis.call('HMGET', campaign, 'id', 'edits', 'store')
if redis.call('EXISTS', campaign .. ':importing') == 1 then return 'importing' end
if not facts[1] or (facts[2] or '0') ~= sheet_version or is_cancelled(campaign) or is_overtaken(ARGV[14]) then
  return 'changed'
end
local state, revision = read_state(campaign, row)
if (state ~= 'w' and state ~= 'f') or revision ~= seen then return 'moved' end
if staged ~= '' and not take_chunk(facts[3], chunk, staged) then return 'expired' end

redis.call('HSET', campaign, 'header', ARGV[10], 'map', ARGV[11])
if ARGV[13] ~= '' then redis.call('HSET', campaign .. ':creators', ARGV[12], ARGV[13]) end
forget_outdated(campaign, row, letters)
tell(campaign, row, now, '', 'changed', what)
admit_again(campaign, row, state, revision, now)
-- Makes an admission fail that was planned with the old row.
redis.call('HINCRBY', campaign, 'admissions', 1)
redis.call('HINCRBY', campaign, 'edits', 1)
add_posts_of_chunk(id, chunk, 15)
return 'ok'
