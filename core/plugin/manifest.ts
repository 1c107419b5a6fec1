// A package.json resolves names: those that begin with #, its own, that of its folder, and those of other packages.
import { packageOf, type References } from './imports.js'

/** Members of a package.json that say what is loaded for names with #, for the package's own name, and for its folder. */
export type TargetMember = 'imports' | 'exports' | 'main'

/** Paths and names of packages that the member of a package.json gives to names; `*` stands for any name. */
export function targetsIn(manifest: unknown, member: TargetMember): Pick<References, 'paths' | 'packages'> {
  const named = memberOf(manifest, member)
  const targets = member === 'main' ? stringsIn(named).map((path) => `./${path}`) : stringsIn(named)
  const paths = targets.filter((target) => target.startsWith('.')).map((target) => target.replace(/\*.*$/, ''))
  return { paths, packages: targets.filter((target) => !target.startsWith('.')).flatMap(packageOf) }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Name of the package; empty if it has none. */
export function nameIn(manifest: unknown): string {
  const name = memberOf(manifest, 'name')
  return typeof name === 'string' ? name : ''
}

/** Names of the packages that it depends on. */
export const dependenciesIn = (manifest: unknown): readonly string[] =>
  ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((member) => {
    const names = memberOf(manifest, member)
    return typeof names === 'object' && names !== null ? Object.keys(names) : []
  })

const memberOf = (manifest: unknown, member: string): unknown =>
  typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, member) : undefined

/** Returns undefined for what is no JSON. */
export function manifestFrom(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
