-- Included. Rule (earlier posts): a post that was not published belongs to its row for ever. The hash `earlier` of a campaign maps a row to
-- its packed results, one a line, the latest last.
-- Rule (recheck): such a row is sent again only after the publishing records showed none of these posts as published. The
-- field `looked` of its record is the time of that recheck (ms). `unchecked`: a person sends the row even if the records cannot be read.

-- How long a recheck counts (ms): for a row that goes back to waiting (a sheet may be checked for long in between), and for its post.
local RECHECK_COUNTS = { back = 3600000, send = 60000 }

-- Whether the row needs no other recheck. A recheck in the future is of a clock that was set back.
local function is_rechecked(campaign, row, now, span)
  if redis.call('HEXISTS', campaign .. ':earlier', row) == 0 then return true end
  local at = tonumber(redis.call('HGET', campaign .. ':work:' .. row, 'looked') or '')
  return at ~= nil and math.abs(tonumber(now) - at) <= RECHECK_COUNTS[span]
end

local function had_post(campaign, row, post) return is_among(earlier_posts(campaign, row), post) end

-- It is the row's post again.
local function leave_earlier(campaign, row, post)
  local left = {}
  for _, packed in ipairs(earlier_posts(campaign, row)) do
    if post_of(packed) ~= post then left[#left + 1] = packed end
  end
  if #left > 0 then
    redis.call('HSET', campaign .. ':earlier', row, table.concat(left, '\n'))
  else
    redis.call('HDEL', campaign .. ':earlier', row)
  end
end
