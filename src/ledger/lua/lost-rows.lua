-- Included. Rule (rows in doubt after a loss): a row that may have been sent in what Redis has lost goes to review, with journal entries in
-- place of those that may be missing. Their token is `lost`: whatever its calls are answered with is still true.
-- Rule (failed before a loss): the same holds for a row that had failed before, once somebody wants to send it again, because it may
-- have been retried in what is lost.
-- Needs rows.lua.

-- Leaves a doubt in the journal. The call of an older entry may have been made again in what is lost.
local function doubt_call(work, effect, span)
  local field, token = 'journal:' .. effect, 'lost'
  local known = redis.call('HGET', work, field)
  if known and over_of(known) >= over_of('unknown lost ' .. span) then return end
  if known then token = token_of(known) end
  redis.call('HSET', work, field, 'unknown ' .. token .. ' ' .. span)
end

-- Sends a row to review. `span`: since when and until when its calls may have been sent, and when they are over at the latest (ms),
-- separated by spaces; `generation`: the number of the one that it may have created, '' for none.
local function put_in_doubt(campaign, row, state, revision, now, span, generation)
  local work = campaign .. ':work:' .. row
  redis.call('HDEL', work, 'failed-by')
  doubt_call(work, 'post', span)
  if generation ~= '' then doubt_call(work, 'gen' .. generation, span) end
  local unknown = cjson.encode({
    step = 'post', code = 'records_lost', at = tonumber(now),
    message = 'Redis lost records of what was sent. This row may have been posted since, without a record here.',
    cure = 'Check in the service whether the post exists, then decide about the row.',
  })
  redis.call('HSET', campaign .. ':errors', row, unknown)
  tell_error(campaign, row, now, 'review', unknown)
  move(campaign, row, state, 'v', revision, now)
end

-- Sends a failed row to review if it failed before a loss. Returns whether it did.
local function doubt_failed(campaign, row, state, revision, now)
  if state ~= 'f' or not failed_before_loss(campaign, row) then return false end
  put_in_doubt(campaign, row, state, revision, now, now .. ' ' .. now .. ' ' .. now, '')
  return true
end
