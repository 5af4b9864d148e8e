-- Included. Rule (earlier posts): a post that was not published belongs to its row for ever. The hash `earlier` of a campaign maps a row to
-- its packed results, one a line, the latest last.

-- Whether the row had this post before.
local function had_post(campaign, row, post)
  for line in string.gmatch(redis.call('HGET', campaign .. ':earlier', row) or '', '[^\n]+') do
    if string.match(line, '^[^\t]*') == post then return true end
  end
  return false
end

-- Removes a post from the earlier ones, because it is the row's post again.
local function leave_earlier(campaign, row, post)
  local left = {}
  for line in string.gmatch(redis.call('HGET', campaign .. ':earlier', row) or '', '[^\n]+') do
    if string.match(line, '^[^\t]*') ~= post then left[#left + 1] = line end
  end
  if #left > 0 then
    redis.call('HSET', campaign .. ':earlier', row, table.concat(left, '\n'))
  else
    redis.call('HDEL', campaign .. ':earlier', row)
  end
end
