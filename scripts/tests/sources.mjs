// Paths of the sources of the product and of the tests, relative to the repository.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const product = /^(core|plugins|workers|server|cli)\/.*(?<!\.d)\.tsx?$/

export const isSource = (path) => product.test(path)
export const isTest = (path) => path.startsWith('test/') && path.endsWith('.test.ts')

/** Returns the sources of the product, tests excluded, sorted. */
export function sourcesOf(folder) {
  return filesOf(folder).filter(isSource)
}

/** Returns the test files, sorted. */
export function testsOf(folder) {
  return filesOf(folder).filter(isTest)
}

/** Returns the files that git knows or would add, sorted. */
export function filesOf(folder) {
  return git(folder, 'ls-files', '--cached', '--others', '--exclude-standard')
    .filter((path) => existsSync(join(folder, path)))
    .sort()
}

/** Returns the lines that git prints. */
export function git(folder, ...words) {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  return execFileSync('git', words, options).split('\n').filter(Boolean)
}
