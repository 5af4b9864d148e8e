-- Included after rows.lua. Rule (rows of unknown outcome after a loss): a row that may have been sent in what Redis has lost goes to review,
-- with journal entries in place of those that may be missing. Their token is `lost`: any answer to its calls is still true.
-- Rule (failed before a loss): so does a row that had failed before, once somebody wants to send it again: it may have been retried.
-- Rule (in review before a loss): the same holds for a row in review: what was found about it before no longer counts.

-- A span that has that of an entry, too, because its call may have been made again in what is lost.
local function widened(entry, span)
  local from, till, over = string.match(span, '^(%d+) (%d+) (%d+)$')
  local at, latest = string.match(entry, '^%S+ %S+ (%d+) (%d+)')
  return string.format('%.0f %.0f %.0f', math.min(from, at or from), math.max(till, latest or till), math.max(over, over_of(entry)))
end

-- Returns whether the unknown outcome is a new one.
local function mark_call(work, effect, span)
  local field, token = 'journal:' .. effect, 'lost'
  local known = redis.call('HGET', work, field)
  if known then span, token = widened(known, span), token_of(known) end
  local entry = 'unknown ' .. token .. ' ' .. span
  redis.call('HSET', work, field, entry)
  return entry ~= known
end

-- `span`: since when and until when its calls may have been sent, and when they are over at the latest (ms), separated by spaces;
-- `generation`: the number of the one that it may have created, '' for none. A row in review with a known post is not sent again.
local function mark_unknown(campaign, row, state, revision, now, span, generation)
  local work = campaign .. ':work:' .. row
  if state == 'v' and redis.call('HEXISTS', work, 'late') == 1 then return end
  local is_new = mark_call(work, 'post', span)
  if generation ~= '' then is_new = mark_call(work, 'gen' .. generation, span) or is_new end
  if state == 'v' and not is_new then return end
  redis.call('HDEL', work, 'failed-by')
  end_with(campaign, row, state, 'v', revision, now, review_error('post', 'records_lost', now,
    'Redis lost records of what was sent. This row may be posted already, without a record of it here.'))
end

local function review_failed(campaign, row, state, revision, now)
  local span = state == 'f' and failed_before_loss(campaign, row)
  if not span then return false end
  mark_unknown(campaign, row, state, revision, now, span, '')
  return true
end
