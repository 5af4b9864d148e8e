-- Rule (showcase): a job works for the rows of its group that run in their revision. Rows that it failed go back to waiting, in their next
-- revision, when it is run again by hand.
-- ARGV: campaign, job id, creator id, now, the sheet that was read: see `is_outdated`, then for each row of the group: row, revision
-- Returns { 'go', row, ... } with the rows that run in their revision | { 'breaker', JSON, row, ... } | { 'paused' } | { 'outdated' }, or without
--   such rows { 'again' } its failed rows go on | { 'on-hold' } not while the breaker is open | { 'ended' } they stay failed | { 'gone' }
--- include ../rows.lua
--- include ../damage.lua
--- include ../sheet.lua
local campaign, job, creator, now = campaign_key(ARGV[1]), ARGV[2], ARGV[3], time_of(ARGV[4])
local campaign_state = redis.call('HGET', campaign, 'state')
if not campaign_state then return { 'gone' } end
local breaker = redis.call('HGET', prefix .. ':breakers', creator)

local running, failed, ended = {}, {}, false
each_row(campaign, 6, 2, function(row, state)
  if state == 'r' then push(running, row) end
  ended = ended or state == 'f'
  if state == 'f' and may_send_again(campaign, row, job) then push(failed, row) end
end)
if not breaker then
  for _, row in ipairs(failed) do
    local _, revision = read_state(campaign, row)
    unless_damaged(campaign, row, now, function() admit_again(campaign, row, 'f', revision, now, 'run again') end)
  end
end
if #running == 0 then
  if #failed > 0 then return { breaker and 'on-hold' or 'again' } end
  return { ended and 'ended' or 'gone' }
end
if campaign_state == 'paused' or campaign_state == 'cancelling' then return { 'paused' } end
if is_outdated(campaign, ARGV[5]) then return { 'outdated' } end
if breaker then return { 'breaker', breaker, unpack(running) } end
return { 'go', unpack(running) }
