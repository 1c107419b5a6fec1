// Loaded before a test file: leaves out the hooks on every asynchronous operation by which tap finds out which test a stray
// error belongs to. They cost up to 40 % of the processor time of a file with many promises. A stray error still fails its
// file, with its stack.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const { createHook } = hooks
const noHook = { enable: () => noHook, disable: () => noHook }

hooks.createHook = (callbacks) => (new Error().stack?.includes('/async-hook-domain/') ? noHook : createHook(callbacks))
syncBuiltinESMExports()
