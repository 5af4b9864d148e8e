-- Rule (approval): an approval is withdrawn only while its row is ready, so that no job goes by it. The row waits for another one, in its next
-- revision: pages that showed it before, and an approval that is still on its way, count no more.
-- ARGV: campaign, now, who, then for each: row, revision, its planned time (ms; '' for none)
-- Returns the rows whose approval is withdrawn now.
--- include at-gate.lua
local campaign, now, by = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]

local function is_approved(row)
  local ok, record = pcall(cjson.decode, redis.call('HGET', campaign .. ':approvals', row) or '')
  return ok and type(record) == 'table' and record.is == 'approved'
end

return decide_at_gate(campaign, 'ready', now, 4, 3, function(row, revision, at)
  if not is_approved(row) then return false end
  redis.call('HDEL', campaign .. ':approvals', row)
  redis.call('ZREM', campaign .. ':ready', row)
  redis.call('ZADD', campaign .. ':unapproved', tonumber(ARGV[at + 2]) or now, row)
  redis.call('HSET', campaign, 'asked', '1')
  count_gates(campaign)
  record_entry(campaign, row, now, '', 'approval withdrawn', by)
  move(campaign, row, 'y', 'y', (revision + 1) % 256, now)
  return true
end)
