-- Rule (cancel): waiting, running and ready rows of a cancelled campaign are cancelled, in parts. A row with a journal entry goes to review instead:
-- the late answer of that call still decides it.
-- ARGV: campaign, first row, rows, now
-- Returns { cancelled, sent to review, row, revision, ... } with the cancelled rows that were running.
--- include ../rows.lua
--- include ../damage.lua
local campaign, first, count, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), time_of(ARGV[4])
if redis.call('HGET', campaign, 'state') ~= 'cancelling' then return { 0, 0 } end
local states = redis.call('GETRANGE', campaign .. ':states', first * 2, (first + count) * 2 - 1)

-- Rows that never left `waiting` have only their two bytes. No letter is the byte 0, so the pattern matches only at the beginning of one.
local rest, untouched = string.gsub(states, 'w%z', 'c\0')
if untouched > 0 then
  redis.call('SETRANGE', campaign .. ':states', first * 2, rest)
  redis.call('HINCRBY', campaign, 'waiting', -untouched)
  redis.call('HINCRBY', campaign, 'cancelled', untouched)
end

-- Returns the row's new state.
local function cancel(row, state, revision)
  local effect = unknown_effect(campaign .. ':work:' .. row)
  if not effect then
    record_if_begun(campaign, row, now, 'cancelled')
    move(campaign, row, state, 'c', revision, now)
    return 'c'
  end
  cancel_unknown(campaign, row, state, revision, now, effect)
  return 'v'
end

local reply = { untouched, 0 }
for index = 0, #rest / 2 - 1 do
  local state = string.sub(rest, index * 2 + 1, index * 2 + 1)
  if state == 'w' or state == 'r' or state == 'y' then
    local row, revision = first + index, string.byte(rest, index * 2 + 2)
    local after = unless_damaged(campaign, row, now, function() return cancel(row, state, revision) end)
    if after == 'c' then
      reply[1] = reply[1] + 1
      if state == 'r' then push(reply, row, revision) end
    else
      reply[2] = reply[2] + 1
    end
  end
end
follow_counters(campaign, now)
return reply
