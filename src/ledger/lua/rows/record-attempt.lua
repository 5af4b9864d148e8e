-- Rule (history): an attempt that does not end its row is recorded only while the row runs in its revision.
-- ARGV: campaign, now, step, outcome, message, then for each row: row, revision
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
each_row(campaign, 6, 2, function(row, state)
  if state == 'r' then record_entry(campaign, row, now, ARGV[3], ARGV[4], ARGV[5]) end
end)
return 'ok'
