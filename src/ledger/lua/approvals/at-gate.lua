-- Included by the scripts of decisions about rows at a gate.
--- include ../rows.lua
--- include ../damage.lua

-- Calls `decide` with row, revision and place of the arguments, for each row that still waits at the gate in its revision, unless the
-- campaign is cancelled. `decide` returns whether it has decided. ARGV from `first`: as `each_row`.
-- Returns the decided rows.
local function decide_at_gate(campaign, gate, now, first, size, decide)
  local decided = {}
  if redis.call('EXISTS', campaign) == 0 or is_cancelled(campaign) then return decided end
  each_row(campaign, first, size, function(row, state, revision, at)
    local function decide_row() return is_at_gate(campaign, row, gate) and decide(row, revision, at) end
    if state == 'y' and unless_damaged(campaign, row, now, decide_row) then push(decided, row) end
  end)
  return decided
end
