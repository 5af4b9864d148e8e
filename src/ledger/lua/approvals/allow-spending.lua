-- Rule (spending): a person lets rows make one generation each, although its AI outputs are beyond a limit. They go on at once.
-- ARGV: campaign, now, who, then row, revision, ...
-- Returns the rows that go on now.
--- include ../rows.lua
--- include ../damage.lua
local campaign, now, by = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]
local allowed = {}
if redis.call('EXISTS', campaign) == 0 or is_cancelled(campaign) then return allowed end
each_row(campaign, 4, 2, function(row, state)
  local function allow()
    if not is_at_gate(campaign, row, 'unpaid') then return false end
    redis.call('HSET', campaign .. ':work:' .. row, 'paid', '1')
    leave_gates(campaign, row)
    redis.call('ZADD', campaign .. ':ready', now, row)
    tell(campaign, row, now, '', 'spending allowed', by)
    return true
  end
  if state == 'y' and unless_damaged(campaign, row, now, allow) then push(allowed, row) end
end)
return allowed
