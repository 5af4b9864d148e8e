-- Included. Rule (damaged data): an error with one item fails neither the others of its batch nor the transition that it only tells of.
local REFUSALS = {
  READONLY = true, OOM = true, MISCONF = true, NOREPLICAS = true, MASTERDOWN = true, CLUSTERDOWN = true, TRYAGAIN = true,
  LOADING = true, UNKILLABLE = true, BUSY = true,
}

-- Calls `work`. Returns true and its reply, or false and the text of its error. A refusal to write is raised again: it concerns the
-- whole script. Redis refuses only the first write, so nothing has been written.
local function attempt(work, ...)
  local ok, reply = pcall(work, ...)
  if ok then return true, reply end
  local text = type(reply) == 'table' and reply.err or tostring(reply)
  -- Redis 6 puts the place in front of the code.
  local code = string.match(text, '^%-?(%u+) ') or string.match(text, ': %-(%u+) ')
  if REFUSALS[code] then error(reply, 0) end
  return false, code and text or 'ERR ' .. text
end

-- The reply of `work`, or its error as a reply: `batched` rejects that item.
local function item_of(work, ...)
  local ok, reply = attempt(work, ...)
  return ok and reply or { err = reply }
end

-- The replies of `work` to the items of a batch. ARGV: count, then `size` arguments for each; it is called with the place of the first.
local function each_item(size, work)
  local replies = {}
  for item = 1, tonumber(ARGV[1]) do replies[item] = item_of(work, 2 + (item - 1) * size) end
  return replies
end

local function push(list, ...)
  for _, value in ipairs({ ... }) do list[#list + 1] = value end
end
