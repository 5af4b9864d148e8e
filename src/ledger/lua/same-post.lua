-- Included after rows.lua. Rule (same post): of two rows with the same creator, product, caption, time and uploaded files, only one is sent.
-- The claim of a post is written with the journal entry of its call, to a hash by the beginning of its digest, in the segment of the year:
-- `<rest of the digest>` to `<campaign> <row> <revision>`. It holds while its row may have the post. `again` (bits): rows that may repeat one.

-- The digest of a row's post; nil while a file is missing. `text`: digest of the rest of it. `file`: id of its first file, if not recorded yet.
local function digest_of(work, text, files, file)
  local names = {}
  for index = 0, files - 1 do names[index + 1] = 'file:' .. index end
  local ids = redis.call('HMGET', work, unpack(names))
  if file ~= '' then ids[1] = file end
  for index = 1, files do
    if not ids[index] then return nil end
  end
  return redis.sha1hex(text .. ' ' .. table.concat(ids, ' '))
end

local function still_holds(id, row, revision)
  local state, current = read_state(campaign_key(id), row)
  -- A decision that was taken back leaves a row in review in a later revision.
  return state == 'v' or ((state == 'p' or state == 'r') and current == revision)
end

-- Claims the post of a row. `how`: number of its files, how long a claim is kept (ms), segments, the newest first.
-- Returns nil, or campaign and row of the one that has it.
local function claim_same(id, row, revision, text, how, file)
  local campaign = campaign_key(id)
  local files, kept, segments = string.match(how, '^(%d+) (%d+) (.+)$')
  local digest = digest_of(campaign .. ':work:' .. row, text, tonumber(files), file)
  if not digest then return nil end
  local shard, field = string.sub(digest, 1, 3), string.sub(digest, 4, 23)
  local is_again, newest = redis.call('GETBIT', campaign .. ':again', row) == 1, nil
  for segment in string.gmatch(segments, '%S+') do
    local key = prefix .. ':planned:' .. segment .. ':sent:' .. shard
    newest = newest or key
    local holder, other_row, other_revision = string.match(redis.call('HGET', key, field) or '', '^(%S+) (%d+) (%d+)$')
    local is_mine = holder == id and tonumber(other_row) == row
    if holder and not is_mine and not is_again and still_holds(holder, tonumber(other_row), tonumber(other_revision)) then
      return holder, other_row
    end
  end
  redis.call('HSET', newest, field, string.format('%s %d %d', id, row, revision))
  redis.call('PEXPIRE', newest, kept)
  return nil
end
