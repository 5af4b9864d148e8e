-- Rule (spending): a person lets rows make one generation each, although its AI outputs are beyond a limit. They go on at once.
-- ARGV: campaign, now, who, then row, revision, ...
-- Returns the rows that go on now.
--- include at-gate.lua
local campaign, now, by = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]

return decide_at_gate(campaign, 'unpaid', now, 4, 2, function(row)
  redis.call('HSET', campaign .. ':work:' .. row, 'paid', '1')
  leave_gates(campaign, row)
  redis.call('ZADD', campaign .. ':ready', now, row)
  record_entry(campaign, row, now, '', 'spending allowed', by)
  return true
end)
