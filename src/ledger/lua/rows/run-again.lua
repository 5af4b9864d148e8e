-- Rule (lost jobs): a running row whose jobs are gone, or failed without an outcome, goes back to waiting in its next revision. Progress
-- and journal stay, so nothing is done twice. After the third time it goes to review, because its jobs do not survive.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), row, revision, ...
-- Returns row, old revision, ... of the rows that were running.
--- include ../rows.lua
--- include ../damage.lua
local campaign, now, most = campaign_key(ARGV[1]), time_of(ARGV[2]), 3

local function run_again(row, revision)
  local work = campaign .. ':work:' .. row
  if redis.call('HINCRBY', work, 'reruns', 1) <= most then
    return admit_again(campaign, row, 'r', revision, now, 'run again')
  end
  redis.call('HDEL', work, 'reruns')
  local what = unknown_effect(work) or 'post'
  local error = cjson.encode({
    step = what == 'post' and 'post' or 'generate', code = 'jobs_lost', at = tonumber(now),
    message = 'The work on this row was lost ' .. (most + 1) .. ' times: its workers were killed, or its jobs were removed.',
    cure = 'Ask an operator to see the logs of the workers. ' .. whether_exists(what),
  })
  redis.call('HSET', campaign .. ':errors', row, error)
  tell_error(campaign, row, now, 'review', error)
  move(campaign, row, 'r', 'v', revision, now)
end

local reply = {}
for at = 3, #ARGV, 2 do
  local row = tonumber(ARGV[at])
  local state, revision = read_state(campaign, row)
  if state == 'r' and revision == tonumber(ARGV[at + 1]) then
    mending(campaign, row, now, function() return run_again(row, revision) end)
    reply[#reply + 1] = row
    reply[#reply + 1] = revision
  end
end
return reply
