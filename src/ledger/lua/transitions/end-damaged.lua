-- Rule (damaged data): running rows whose record cannot be used end in review.
-- ARGV: campaign, now, text of the error, then for each row: row, revision
-- Returns `ok_or_wake`.
--- include ../rows.lua
--- include ../damage.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
each_row(campaign, 4, 2, function(row, state)
  if state == 'r' then end_damaged(campaign, row, now, ARGV[3]) end
end)
return ok_or_wake(campaign)
