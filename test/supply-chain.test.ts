// What comes from elsewhere: packages have a licence that fits, come from one registry with a digest, and continuous integration
// runs no action that somebody could replace.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

interface Package {
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly integrity?: string
}

const lock: { readonly packages: Readonly<Record<string, Package>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && !link)

/** Licences under which the program, which is AGPL-3.0-or-later, may be passed on with a package. */
const fitting: ReadonlySet<string> = new Set([
  '0BSD',
  'AGPL-3.0-or-later',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'OFL-1.1',
  'Zlib',
])
/** Further ones of packages that are used here and not passed on. */
const fittingHere: ReadonlySet<string> = new Set(['CC-BY-3.0', 'CC0-1.0', 'MPL-2.0', 'Unlicense'])
/** Packages whose manifest names none; their licence was read in their files. */
const read: Readonly<Record<string, string>> = { 'node_modules/jsonc-simple-parser': 'MIT' }

/** True if one alternative of the expression has known licences only. */
function fits(expression: string, isDev: boolean): boolean {
  const isKnown = (name: string) => fitting.has(name) || (isDev && fittingHere.has(name))
  const alternatives = expression.replace(/[()]/g, '').split(' OR ')
  return alternatives.some((alternative) => alternative.split(' AND ').every(isKnown))
}

t.test('every package has a licence that fits', async (t) => {
  t.ok(packages.length > 100)
  const strange = packages.flatMap(([path, { license = read[path] ?? 'none', dev = false }]) =>
    fits(license, dev) ? [] : [`${path}: ${license}`],
  )
  t.strictSame(strange, [])
})

t.test('every package comes from the registry, with a digest', async (t) => {
  const strange = packages.flatMap(([path, { resolved, integrity }]) => {
    const isFromRegistry = resolved === undefined || resolved.startsWith('https://registry.npmjs.org/')
    return isFromRegistry && /^sha512-/.test(integrity ?? '') ? [] : [path]
  })
  t.strictSame(strange, [])
})

t.test('actions are named by their digest', async (t) => {
  const folder = '.github/workflows'
  const used = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/uses:\s*(\S+)/g)].map(([, action = '']) => action),
  )
  t.ok(used.length > 0)
  t.strictSame(
    used.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action)),
    [],
  )
})
