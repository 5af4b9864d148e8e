-- Rule (gates): a ready row whose gate opens goes back to waiting, in its next revision: it has no job. The nearest time is first, also
-- among the rows that wait (`redo`).
-- ARGV: campaign, now, most rows
-- Returns how many were woken.
--- include ../rows.lua
--- include ../damage.lua
local campaign, now, woken = campaign_key(ARGV[1]), time_of(ARGV[2]), 0
local due = redis.call('ZRANGEBYSCORE', campaign .. ':ready', '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[3])
for index = 1, #due, 2 do
  local row, at = due[index], due[index + 1]
  local state, revision = read_state(campaign, row)
  local function wake()
    admit_again(campaign, row, state, revision, now, 'opened')
    -- By minute, then as in the sheet; before all others.
    redis.call('ZADD', campaign .. ':redo', 'XX', math.floor(at / 60000) * 1e8 + row - 9e15, row)
    if not is_cancelled(campaign) then mark_woken(campaign, row) end
    return true
  end
  if state == 'y' and unless_damaged(campaign, row, now, wake) then woken = woken + 1 end
  redis.call('ZREM', campaign .. ':ready', row)
end
return woken
