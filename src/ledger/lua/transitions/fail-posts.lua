-- Rule (failed post): a posted row whose post was not published fails, if its result is still the one that was compared. Its post becomes
-- an earlier one, and its progress is restored. The campaign stays ended, and the row does not count for stop-after.
-- ARGV: campaign, now, then for each row: row, packed result as it was read, packed result to keep, JSON of the error
-- Returns '1' or '0' for each.
--- include ../rows.lua
--- include ../restore-progress.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])

return each_result(3, 4, function(at)
  local row, packed, kept, error = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local state, revision = read_state(campaign, row)
  local stored = result_of(campaign, row)
  if state ~= 'p' or split_result(stored) ~= packed then return false end
  local earlier = redis.call('HGET', campaign .. ':earlier', row)
  restore_progress(campaign, row, packed)
  redis.call('HSET', campaign .. ':earlier', row, (earlier and earlier .. '\n' or '') .. kept)
  drop_result(campaign, row)
  restore_history(campaign, row, stored)
  end_with(campaign, row, 'p', 'f', revision, now, error)
  gather(campaign, row, 'post.failed', now)
  return true
end)
