-- Rule (damaged data): running rows whose data cannot be used end in review.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), text of the error, then for each row: row, revision
-- Returns 'ok' or 'wake' (the admission should be woken).
--- include ../rows.lua
--- include ../damage.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
mend_campaign(campaign, now)
for at = 4, #ARGV, 2 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  if state == 'r' and revision == tonumber(ARGV[at + 1]) then
    mend_row(campaign, row, '', '', now)
    end_damaged(campaign, row, now, ARGV[3])
  end
end
return should_wake(campaign) and 'wake' or 'ok'
