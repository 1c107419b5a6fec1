// Test files that a change can affect: those that import a changed file, directly or by way of others. Tests that run the
// built program import nothing of it, so a change of core, plugins or cli also affects test/cli.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const imported = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** Paths relative to `root`. `revision` is what the working tree is compared with: `HEAD`, `main`, … */
export function affectedTests(root, revision) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  const changed = [...git('diff', '--name-only', revision), ...untracked]
  const files = [...git('ls-files', '*.ts'), ...untracked.filter((name) => name.endsWith('.ts'))]
  const users = usersOf(root, files)
  const affected = new Set(changed)
  for (const file of affected) for (const user of users.get(file) ?? []) affected.add(user)
  const reachesProgram = changed.some((file) => /^(core|plugins|cli)\//.test(file))
  const isAffected = (file) => affected.has(file) || (reachesProgram && file.startsWith('test/cli/'))
  return files.filter((file) => file.endsWith('.test.ts') && existsSync(join(root, file)) && isAffected(file)).sort()
}

/** Returns the files that import each file, by its path. */
function usersOf(root, files) {
  const users = new Map()
  for (const file of files) {
    if (!existsSync(join(root, file))) continue
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(imported)) {
      const target = normalize(join(dirname(file), name)).replace(/\.js$/, '.ts')
      users.set(target, [...(users.get(target) ?? []), file])
    }
  }
  return users
}
