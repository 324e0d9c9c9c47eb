-- nvim-dap: put this into init.lua, then ':lua require("dap").continue()' in a file of the app.
local dap = require("dap")

dap.adapters["state-inspect"] = { type = "executable", command = "state-inspect", args = { "dap" } }
dap.configurations.swift = {
  {
    name = "The recorded run, from its end",
    type = "state-inspect",
    request = "launch",
    journal = function() return vim.fn.input("journal: ", "run.jsonl", "file") end,
    sourceRoot = "${workspaceFolder}",
  },
}
vim.keymap.set("n", "<leader>dp", dap.step_back, { desc = "to the commit before" })
vim.keymap.set("n", "<leader>dr", dap.reverse_continue, { desc = "to the stop before" })
vim.keymap.set("n", "<leader>df", dap.restart_frame, { desc = "to the frame's commit: what caused it" })
