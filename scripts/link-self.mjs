// Lets packages inside this repository (examples/provider-plugin) import `steward` the way an installed one would.
// A workspace could do the same, but npm writes no lock file that `npm ci` accepts for one that depends on its root.
import { existsSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const link = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', 'steward')
if (!existsSync(link)) symlinkSync('..', link, 'junction')
