-- A record of another program under our key counts as an empty one, so that it does not end a command.
local function read_stored(text)
  local is_json, value = pcall(cjson.decode, text)
  return is_json and type(value) == 'table' and value or {}
end
