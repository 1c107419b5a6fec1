// Which files use a file of the repository: by import, by a name that is put together at run time, and by what is bundled.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { filesOf } from './sources.mjs'

const code = /\.(ts|tsx|mjs|js|css)$/
const imported = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g
/** `import(`../ops/${name}.ts`)`: every file that the name can be is used. */
const computed = /import\(\s*`(\.[^`]+)`\s*\)/g
/** Files that package.json names (imports), so that their users do not say where they are. */
const bundled = { '#worker-thread': ['workers/thread/thread.ts'] }

/** Returns the paths of the files that use each file, by its path. */
export function importersOf(root) {
  const files = filesOf(root).filter((path) => code.test(path))
  const importers = new Map(files.map((path) => [path, new Set()]))
  for (const path of files) {
    const text = readFileSync(join(root, path), 'utf8')
    const targets = [
      ...[...text.matchAll(imported)].map(([, name]) => sourceOf(path, name)),
      ...[...text.matchAll(computed)].flatMap(([, name]) => files.filter(nameable(path, name))),
      ...Object.entries(bundled).flatMap(([name, paths]) => (text.includes(`'${name}'`) ? paths : [])),
    ]
    for (const target of targets) importers.get(target)?.add(path)
  }
  return importers
}

/** Sources import each other by the names of the compiled files. */
function sourceOf(path, name) {
  const target = normalize(join(dirname(path), name))
  return target.replace(/\.js$/, '.ts')
}

function nameable(path, name) {
  const escaped = normalize(join(dirname(path), name)).replace(/[.+^()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`^${escaped.replace(/\$\{[^}]*\}/g, '[^/]+').replace(/\.[jt]s$/, '.ts')}$`)
  return (file) => pattern.test(file)
}
