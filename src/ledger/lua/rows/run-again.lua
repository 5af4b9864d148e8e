-- Rule (lost jobs): a running row whose jobs are gone, or failed without an outcome, goes back to waiting in its next revision, with its
-- progress and journal. After the third time it goes to review.
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
  end_with(campaign, row, 'r', 'v', revision, now, cjson.encode({
    step = what == 'post' and 'post' or 'generate', code = 'jobs_lost', at = tonumber(now),
    message = 'The work on this row was lost ' .. (most + 1) .. ' times: its workers were killed, or its jobs were removed.',
    cure = 'Ask an operator to see the logs of the workers. ' .. whether_exists(what),
  }))
end

local reply = {}
each_row(campaign, 3, 2, function(row, state, revision)
  if state ~= 'r' then return end
  unless_damaged(campaign, row, now, function() return run_again(row, revision) end)
  push(reply, row, revision)
end)
return reply
