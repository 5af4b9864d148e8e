-- Rule (lost jobs): a running row whose jobs are gone, or failed without an outcome, goes back to waiting in its next revision, with its
-- progress and journal. After the third time it goes to review.
-- ARGV: campaign, now, row, revision, ...
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
  end_with(campaign, row, 'r', 'v', revision, now, review_error(unknown_effect(work) or 'post', 'jobs_lost', now,
    'The work on this row was lost ' .. (most + 1) .. ' times: its workers were killed, or its jobs were removed.',
    'Ask an operator to see the logs of the workers. '))
end

local reply = {}
each_row(campaign, 3, 2, function(row, state, revision)
  if state ~= 'r' then return end
  unless_damaged(campaign, row, now, function() return run_again(row, revision) end)
  push(reply, row, revision)
end)
return reply
