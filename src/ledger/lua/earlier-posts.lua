-- Included. Rule (earlier posts): a post that was not published stays its row's for ever. The hash `earlier` of a campaign maps a row to
-- its packed results, one a line, the latest last.

-- Whether the row had this post before.
local function had_post(campaign, row, post)
  for line in string.gmatch(redis.call('HGET', campaign .. ':earlier', row) or '', '[^\n]+') do
    if string.match(line, '^[^\t]*') == post then return true end
  end
  return false
end
