-- Rule (rows of unknown outcome after a loss): rows that may have been sent in what is lost go to review, in parts (`lost-rows.lua`).
-- ARGV: campaign, now, span of the calls (see `mark_unknown`; '' for failed rows), then for each row: row, revision, number of its next generation
--   ('' for none)
-- Returns { rows sent to review, row, revision, ... } with those that were running.
--- include ../rows.lua
--- include ../lost-rows.lua
local campaign, now, span = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3]
local reply = { 0 }
each_row(campaign, 4, 3, function(row, state, revision, at)
  if review_failed(campaign, row, state, revision, now) then
    reply[1] = reply[1] + 1
  elseif span ~= '' and (state == 'w' or state == 'r' or state == 'y' or state == 'v') then
    mark_unknown(campaign, row, state, revision, now, span, ARGV[at + 2])
    if state ~= 'v' then reply[1] = reply[1] + 1 end
    if state == 'r' then push(reply, row, revision) end
  end
end)
return reply
