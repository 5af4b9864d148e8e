-- Included after rows.lua. Rule (damaged data): a row whose record cannot be used ends in review. A wrong key of its campaign is an error
-- instead, for which the caller pauses the campaign.
local TYPES = {
  states = 'string', errors = 'hash', failed = 'zset', review = 'zset', redo = 'zset', ready = 'zset', unapproved = 'zset', unpaid = 'zset', approvals = 'hash', comments = 'hash', shares = 'zset', held = 'zset', adding = 'hash', groups = 'hash',
  creators = 'hash', assets = 'hash', earlier = 'hash', again = 'string', follow = 'hash', histories = 'hash', changed = 'zset',
  pace = 'hash', pauses = 'list', ['planned-times'] = 'hash', ['left-out'] = 'set', ['video-rows'] = 'string',
}

-- The keys of a campaign that have another type than they should.
local function damaged_keys(campaign)
  local keys = {}
  for name, wanted in pairs(TYPES) do
    local found = redis.call('TYPE', campaign .. ':' .. name).ok
    if found ~= 'none' and found ~= wanted then push(keys, campaign .. ':' .. name) end
  end
  return keys
end

local function refuse_damaged(campaign)
  local key = damaged_keys(campaign)[1]
  if key then error('WRONGTYPE ' .. key .. ' holds something else', 0) end
end

-- `text`: of the error. The row may have been sent.
local function end_damaged(campaign, row, now, text)
  refuse_damaged(campaign)
  local state, revision = read_state(campaign, row)
  if state ~= 'w' and state ~= 'r' and state ~= 'y' and state ~= 'f' then return end
  end_with(campaign, row, state, 'v', revision, now, review_error('post', 'data_damaged', now,
    'The data of this row in Redis is damaged: ' .. cut(text),
    'Ask an operator to find out what changed this key in Redis, and to remove it. '))
end

-- Does the part of a script that concerns one row. Returns the reply of `work`, or nil if the row went to review.
local function unless_damaged(campaign, row, now, work)
  local ok, reply = attempt(work)
  if ok then return reply end
  end_damaged(campaign, row, now, reply)
end
