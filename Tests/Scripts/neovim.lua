-- A client of the debug adapter protocol for Neovim: it goes back to the cause of the sample run's bug.
local input, output, errors = vim.loop.new_pipe(false), vim.loop.new_pipe(false), vim.loop.new_pipe(false)
local buffer, messages, sequence = "", {}, 0
local handle = vim.loop.spawn(vim.env.ADAPTER, { args = { "dap" }, stdio = { input, output, errors } }, function() end)

local function quit(status, text)
  io.stderr:write(text .. "\n")
  if handle then handle:kill("sigterm") end
  vim.cmd(status == 0 and "qall!" or "cquit")
end

output:read_start(function(_, data)
  if not data then return end
  buffer = buffer .. data
  while true do
    local head, rest = buffer:match("^(.-)\r\n\r\n(.*)$")
    if not head then return end
    local length = tonumber(head:match("Content%-Length: (%d+)"))
    if #rest < length then return end
    table.insert(messages, rest:sub(1, length))
    buffer = rest:sub(length + 1)
  end
end)

-- Sends a request and waits for its answer.
local function take(matches)
  local found
  vim.wait(20000, function()
    for index, text in ipairs(messages) do
      local message = vim.json.decode(text)
      if matches(message) then
        table.remove(messages, index)
        found = message
        return true
      end
    end
    return false
  end, 5)
  if not found then quit(1, "no answer") end
  return found
end

local function request(command, arguments)
  sequence = sequence + 1
  local number = sequence
  local text = vim.json.encode({ seq = number, type = "request", command = command, arguments = arguments })
  input:write("Content-Length: " .. #text .. "\r\n\r\n" .. text)
  local answer = take(function(message) return message.request_seq == number end)
  if not answer.success then quit(1, command .. ": " .. tostring(answer.message)) end
  return answer.body or {}
end

local function stopped() return take(function(message) return message.event == "stopped" end).body end

request("initialize", { adapterID = "state-inspect", linesStartAt1 = true, columnsStartAt1 = true })
request("launch", { journal = vim.env.JOURNAL, sourceRoot = vim.env.SAMPLES })
take(function(message) return message.event == "initialized" end)
local set = request("setBreakpoints", {
  source = { path = vim.env.SAMPLES .. "/shop/Cart.swift" },
  breakpoints = { { line = 37, condition = ".cart.total < 0" } },
})
if not set.breakpoints[1].verified then quit(1, "not verified") end
request("setExceptionBreakpoints", { filters = { "violation" } })
request("configurationDone", vim.empty_dict())
if stopped().reason ~= "entry" then quit(1, "no entry") end
request("reverseContinue", { threadId = 1 })
if stopped().reason ~= "breakpoint" then quit(1, "no breakpoint") end
local frame = request("stackTrace", { threadId = 1 }).stackFrames[1]
io.stderr:write("at " .. frame.name .. " line " .. frame.line .. "\n")
local scopes = request("scopes", { frameId = frame.id }).scopes
if scopes[1].name ~= "Changed" then quit(1, "no scope") end
request("variables", { variablesReference = scopes[1].variablesReference })
local total = request("evaluate", { expression = ".cart.total", frameId = frame.id, context = "watch" })
io.stderr:write("total " .. total.result .. "\n")
request("stepBack", { threadId = 1 })
stopped()
request("next", { threadId = 1 })
stopped()
request("disconnect", vim.empty_dict())
quit(0, "done")
