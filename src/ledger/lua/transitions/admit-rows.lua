-- Rule (admission): the script that makes rows running records which jobs they need, so that a crash loses no job. Of two admissions
-- planned from the same state, only one is carried out, and none of another sheet, or of more rows than the canary allows.
-- ARGV: campaign, number of the admission when it was planned, cursor (rows before it have been admitted), now, the sheet that was read: see
--   `is_outdated`, n groups, then the JSON of each, then for each row: row, revision, '1' if its flow is added at once ('0': by its showcase
--   group), n, then n arguments: field, value, ... of the row's known progress
-- Returns nil if it is not carried out, else { number of the first group, row, row, ... } with the rows that run now.
--- include ../rows.lua
--- include ../damage.lua
--- include ../sheet.lua
--- include ../journal.lua
local campaign, number, cursor, now = campaign_key(ARGV[1]), ARGV[2], ARGV[3], time_of(ARGV[4])
local facts = redis.call('HMGET', campaign, 'admissions', 'state', 'canary', 'canary-held')
if (facts[1] or '0') ~= number or facts[2] ~= 'running' then return false end
if is_outdated(campaign, ARGV[5]) then return false end
local groups = tonumber(ARGV[6])

local canary = not facts[4] and tonumber(facts[3] or '')
if canary then
  local begun, at = begun_rows(campaign), 7 + groups
  while at <= #ARGV do
    begun, at = begun + 1, at + 4 + ARGV[at + 3]
  end
  if begun > canary then return false end
end
-- Until now the campaign waited for a worker.
if number == '0' then start_clock(campaign, now) end
redis.call('HSET', campaign, 'cursor', cursor, 'admissions', number + 1)

local first_group = redis.call('HINCRBY', campaign, 'group-number', groups) - groups + 1
for index = 1, groups do
  redis.call('HSET', campaign .. ':groups', first_group + index - 1, ARGV[6 + index])
end

local reply = { first_group }
local at = 7 + groups
while at <= #ARGV do
  local row, revision, at_once, extras = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2], tonumber(ARGV[at + 3])
  local state, current = read_state(campaign, row)
  local first = at + 4
  local function begin()
    -- In its first revision it has no history. The history of a woken row says so already.
    if revision > 0 and redis.call('HEXISTS', campaign .. ':work:' .. row, 'woken') == 0 then record_if_begun(campaign, row, now, 'begun') end
    if extras > 0 then redis.call('HSET', campaign .. ':work:' .. row, unpack(ARGV, first, first + extras - 1)) end
    if at_once == '1' then redis.call('HSET', campaign .. ':adding', row, revision) end
    move(campaign, row, 'w', 'r', revision, now)
    return true
  end
  if state == 'w' and current == revision and unless_damaged(campaign, row, now, begin) then reply[#reply + 1] = row end
  at = at + 4 + extras
end
-- After a loss of data it tells how many rows may have been sent since.
redis.call('HINCRBY', journal, 'admitted', #reply - 1)
return reply
