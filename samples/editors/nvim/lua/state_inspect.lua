-- Shows beside each line of source what its last commit wrote.
--   require("state_inspect").setup({ journal = "run.jsonl" })
local M = { places = {}, space = vim.api.nvim_create_namespace("state-inspect") }

-- The lines that committed, of a file that ends in 'Module/File.swift' or lies in a folder of the module's name.
local function lines_of(path)
  local found = {}
  for file, lines in pairs(M.places) do
    local module, base = file:match("^([^/]+)/.-([^/]+)$")
    local of_module = module and path:find("/" .. module .. "/", 1, true) and path:match("[^/]+$") == base
    if of_module or path:sub(-#file - 1) == "/" .. file then vim.list_extend(found, lines) end
  end
  return found
end

-- The line at which to show a place, and whether it may have moved: then the first line of its function stands for it, and a place
-- whose function is gone is not shown.
local function line_of(place, text, is_newer)
  local name = place["function"]:match("^[%w_]+") or ""
  local function begins(line) return line:match("func%s+([%w_]+)") or line:match("%f[%w](init)%f[%W]") end
  for number = math.min(place.line, is_newer and 0 or #text), 1, -1 do
    local found = begins(text[number])
    if found == name then return place.line, false end
    if found then break end
  end
  for number, line in ipairs(text) do
    if begins(line) == name then return number, true end
  end
end

function M.show(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, M.space, 0, -1)
  local path, text = vim.api.nvim_buf_get_name(buffer), vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local file, run = vim.loop.fs_stat(path), vim.loop.fs_stat(M.journal)
  local is_newer = not file or not run or file.mtime.sec > run.mtime.sec
  for _, place in ipairs(lines_of(path)) do
    local line, has_moved = line_of(place, text, is_newer)
    if line and line <= #text then
      local shown = ("  %d: %s (%d)"):format(place.last, place.title, place.commits)
      if has_moved then shown = shown .. ("  line %d when it was built"):format(place.line) end
      vim.api.nvim_buf_set_extmark(buffer, M.space, line - 1, 0, { virt_text = { { shown, "Comment" } } })
    end
  end
end

function M.read(journal)
  M.places, M.journal = {}, journal
  local command = { "state-inspect", "log", journal, "--by-place", "--format", "json" }
  for _, line in ipairs(vim.fn.systemlist(command)) do
    local ok, place = pcall(vim.fn.json_decode, line)
    if ok and type(place) == "table" and place.kind == "place" then
      M.places[place.file] = M.places[place.file] or {}
      table.insert(M.places[place.file], place)
    end
  end
end

function M.setup(options)
  M.read(options.journal)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost" }, {
    pattern = options.pattern or "*.swift",
    callback = function(event) M.show(event.buf) end,
  })
end

return M
