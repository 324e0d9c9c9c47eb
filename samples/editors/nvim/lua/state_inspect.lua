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

function M.show(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, M.space, 0, -1)
  local count = vim.api.nvim_buf_line_count(buffer)
  for _, place in ipairs(lines_of(vim.api.nvim_buf_get_name(buffer))) do
    if place.line <= count then
      local text = ("  %d: %s (%d)"):format(place.last, place.title, place.commits)
      vim.api.nvim_buf_set_extmark(buffer, M.space, place.line - 1, 0, { virt_text = { { text, "Comment" } } })
    end
  end
end

function M.read(journal)
  M.places = {}
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
