-- Rule: a showcase job works for the rows of its group that run in their revision, unless the campaign is paused or the creator's
-- breaker is open.
-- Rule (sheet version): it does not begin with products of another sheet than the campaign's.
-- Rule (retry): rows that this job failed go back to waiting, in their next revision, when it is run again by hand.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, job id, account, creator id, now (ms; '' for the clock of Redis), the sheet that was read: see `is_outdated`,
--   then for each row of the group: row, revision
-- Returns { 'go', row, ... } with the rows that run in their revision | { 'breaker', JSON, row, ... } | { 'paused' } | { 'outdated' },
--   or without such rows
--   { 'again' } its failed rows go on in their next revision | { 'on-hold' } they do not, because the creator's authorization has expired
--   { 'ended' } its failed rows stay failed | { 'gone' }
--- include ../rows.lua
--- include ../damage.lua
--- include ../sheet.lua
local campaign, job, account, creator, now = campaign_key(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], time_of(ARGV[5])
local campaign_state = redis.call('HGET', campaign, 'state')
if not campaign_state then return { 'gone' } end
local breaker = redis.call('HGET', prefix .. ':a:' .. account .. ':breakers', creator)

local running, failed, ended = {}, {}, false
for at = 7, #ARGV, 2 do
  local row, revision = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local state, current = read_state(campaign, row)
  if current == revision and state == 'r' then running[#running + 1] = row end
  if current == revision and state == 'f' then
    ended = true
    if may_send_again(campaign, row, job) then failed[#failed + 1] = row end
  end
end
if not breaker then
  for _, row in ipairs(failed) do
    local _, revision = read_state(campaign, row)
    mending(campaign, row, now, function() admit_again(campaign, row, 'f', revision, now, 'run again') end)
  end
end
if #running == 0 then
  if #failed > 0 then return { breaker and 'on-hold' or 'again' } end
  return { ended and 'ended' or 'gone' }
end
if campaign_state == 'paused' or campaign_state == 'cancelling' then return { 'paused' } end
if is_outdated(campaign, ARGV[6]) then return { 'outdated' } end
if breaker then return { 'breaker', breaker, unpack(running) } end
return { 'go', unpack(running) }
