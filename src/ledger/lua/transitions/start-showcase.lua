-- Rule: a showcase job works for the rows of its group that run in their revision, unless the campaign is paused or the creator's
-- breaker is open.
-- Rule (sheet version): it does not begin with products of another sheet than the campaign's.
-- Rule (revival): rows that this job failed run again; no other job revives them. Rows that had a post before stay failed.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, job id, account, creator id, now (ms; '' for the clock of Redis), the sheet that was read: see `is_outdated`,
--   then for each row of the group: row, revision
-- Returns { 'gone' } | { 'outdated' } | { 'ended' } (rows that this job failed stay failed) | { 'paused' } | { 'breaker', JSON, row, ... } | { 'go', row, ... } with the rows that run in their revision.
--- include ../rows.lua
--- include ../sheet.lua
local campaign, job, account, creator, now = campaign_key(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], time_of(ARGV[5])
local campaign_state = redis.call('HGET', campaign, 'state')
if not campaign_state then return { 'gone' } end
local breaker = redis.call('HGET', prefix .. ':a:' .. account .. ':breakers', creator)

local running, failed, ended = {}, {}, false
for at = 7, #ARGV, 2 do
  local row, revision = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local state, current = read_state(campaign, row)
  if state and current == revision then
    if state == 'r' then
      running[#running + 1] = row
    elseif state == 'f' and has_failed(campaign, row, job) then
      if may_revive(campaign, row) then failed[#failed + 1] = { row, revision } else ended = true end
    end
  end
end
if #running + #failed == 0 then return { ended and 'ended' or 'gone' } end
if campaign_state == 'paused' or campaign_state == 'cancelling' then return { 'paused' } end
if is_outdated(campaign, ARGV[6]) then return { 'outdated' } end
if breaker then return { 'breaker', breaker, unpack(running) } end
for _, entry in ipairs(failed) do
  local row, revision = entry[1], entry[2]
  redis.call('HDEL', campaign .. ':work:' .. row, 'failed-by')
  redis.call('HDEL', campaign .. ':errors', row)
  tell(campaign, row, now, '', 'run again')
  move(campaign, row, 'f', 'r', revision, now)
  running[#running + 1] = row
end
return { 'go', unpack(running) }
