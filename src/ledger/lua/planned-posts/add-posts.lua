-- Adds the posts of a chunk of rows of a campaign of an earlier version, which had no index of planned posts, or notes that all were added.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, chunk, then as `add_posts_of_chunk` describes it; without a chunk (''), all were added
-- Returns 1, or 0 for a campaign that is gone.
--- include planned-posts.lua
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
if redis.call('EXISTS', campaign) == 0 then return 0 end
if ARGV[2] == '' then redis.call('HSET', campaign, 'posts-known', 1)
else
  local known = redis.call('HEXISTS', campaign, 'posts-known')
  add_posts_of_chunk(ARGV[1], ARGV[2], 3)
  -- Only the last chunk makes it known.
  if known == 0 then redis.call('HDEL', campaign, 'posts-known') end
end
return 1
