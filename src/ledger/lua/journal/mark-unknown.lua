-- Rule (rows of unknown outcome after a loss): waiting and running rows that may have been sent in what is lost go to review, in parts; failed rows
-- only if they failed before. Rows in review are of unknown outcome anew.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), span of the calls (see `mark_unknown`; '' for failed rows), then for each row: row, revision,
--   number of its next generation ('' for none)
-- Returns { rows sent to review, row, revision, ... } with those that were running: their jobs are no longer needed.
--- include ../rows.lua
--- include ../lost-rows.lua
local campaign, now, span = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]
local reply = { 0 }
for at = 4, #ARGV, 3 do
  local row, revision = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local state, current = read_state(campaign, row)
  if current == revision and review_failed(campaign, row, state, revision, now) then
    reply[1] = reply[1] + 1
  elseif span ~= '' and (state == 'w' or state == 'r' or state == 'v') and current == revision then
    mark_unknown(campaign, row, state, revision, now, span, ARGV[at + 2])
    if state ~= 'v' then reply[1] = reply[1] + 1 end
    if state == 'r' then
      reply[#reply + 1] = row
      reply[#reply + 1] = revision
    end
  end
end
return reply
