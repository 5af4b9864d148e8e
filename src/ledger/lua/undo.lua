-- Included after rows.lua. Rule (undo window): what a decision or retry replaces is kept for a while: the fields of the row's record
-- ('was:...'), its error, and the row as it is afterwards.

-- `...`: further facts, as field, value.
local function remember(campaign, row, now, ...)
  local undo = campaign .. ':undo:' .. row
  redis.call('DEL', undo)
  local record = redis.call('HGETALL', campaign .. ':work:' .. row)
  for index = 1, #record, 2 do redis.call('HSET', undo, 'was:' .. record[index], record[index + 1]) end
  redis.call('HSET', undo, 'at', now, 'effect', '', 'post', '', 'error', redis.call('HGET', campaign .. ':errors', row) or '',
    'earlier', redis.call('HGET', campaign .. ':earlier', row) or '', ...)
end

-- The change counts as taken back only while the row stays as it is now.
local function keep_until(campaign, row, kept_for)
  local undo, state, revision = campaign .. ':undo:' .. row, read_state(campaign, row)
  redis.call('HSET', undo, 'state', state, 'revision', revision)
  redis.call('PEXPIRE', undo, kept_for)
end
