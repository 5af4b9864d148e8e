-- Rule (history): an attempt that does not end its row is recorded only while the row runs in its revision.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), step, outcome, message, then for each row: row, revision
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
for at = 6, #ARGV, 2 do
  local state, current = read_state(campaign, ARGV[at])
  if state == 'r' and current == tonumber(ARGV[at + 1]) then
    tell(campaign, ARGV[at], now, ARGV[3], ARGV[4], ARGV[5])
  end
end
return 'ok'
