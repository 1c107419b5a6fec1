// Finds in the text of a module the modules and packages that it refers to: rather too many than too few. A module can hide what
// it loads; the person who allowed it has been shown the module.
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface References {
  /** Paths relative to the module. */
  readonly paths: readonly string[]
  /** Names of packages. */
  readonly packages: readonly string[]
  /** True if it loads something whose name is known only when it runs. */
  readonly isComputed: boolean
  /** True if it uses names that begin with #, which are in the `imports` of package.json. */
  readonly isAliased: boolean
}

const gap = String.raw`(?:\s|/\*[^]{0,500}?\*/)*`
/** Bounded, so that no file takes long: it is read before anybody allowed it. */
const text = String.raw`(?:"((?:[^"\\\n]|\\[^]){0,1000})"|'((?:[^'\\\n]|\\[^]){0,1000})'|\`((?:[^\`\\$]|\\[^]){0,1000})\`)`
const named = new RegExp(String.raw`\b(?:from|import|require|resolve)${gap}(?:\(${gap})?${text}`, 'g')
/** `new URL('./other.js', import.meta.url)`, which may name an address of a network as well. */
const located = new RegExp(String.raw`\b(?:URL|Worker)${gap}\(${gap}${text}`, 'g')
const called = new RegExp(String.raw`\b(?:import|require)${gap}\((?!${gap}${text}${gap}[,)])`)

export function referencesIn(source: string): References {
  const specifiers = textsOf(source, named).filter((specifier) => specifier !== '' && !specifier.startsWith('node:'))
  const isPath = (specifier: string) => /^(\.{0,2}\/|\.{1,2}$|file:)/i.test(specifier)
  const isAliased = specifiers.some((specifier) => specifier.startsWith('#'))
  return {
    paths: [
      ...specifiers.filter(isPath),
      ...textsOf(source, located).filter((text) => /^\.{1,2}\/.*\.(?:[cm]?[jt]s|node|wasm)$/.test(text)),
    ],
    packages: [...new Set(specifiers.filter((one) => !isPath(one)).flatMap(packageOf))],
    isComputed: called.test(source) || isAliased,
    isAliased,
  }
}

function textsOf(source: string, pattern: RegExp): readonly string[] {
  const texts = [...source.matchAll(pattern)].map(([, ...texts]) => texts.find((one) => one !== undefined) ?? '')
  return [...new Set(texts.map(unescaped))]
}

/** Returns what a literal means: a name may be spelt with escapes. */
function unescaped(literal: string): string {
  const escapes = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gi
  return literal.replace(escapes, (all, point, unit, byte, octal, one) => {
    const hex = point ?? unit ?? byte
    const code = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)
    if (one === undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : all
    return /^[\r\n\u2028\u2029]/.test(one) ? '' : one
  })
}

/** Returns the name of the package that a specifier begins with; nothing for what names none. */
export function packageOf(specifier: string): readonly string[] {
  const [name] = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?=\/|$)/i.exec(specifier) ?? []
  return name === undefined ? [] : [name]
}

/** Returns what `require` and what `import`, which decodes addresses, make of a path. */
export function pathsOf(specifier: string, folder: string): readonly string[] {
  const base = pathToFileURL(join(folder, 'module.mjs'))
  const address = URL.canParse(specifier, base.href) ? new URL(specifier, base.href) : undefined
  // Encoded slashes, and hosts, are of no file that is loaded.
  const decodes = address?.protocol === 'file:' && address.host === '' && !/%(2f|00)/i.test(address.pathname)
  const required = /^file:/i.test(specifier)
    ? []
    : [resolve(folder, specifier), resolve(folder, specifier.replace(/[?#].*$/, ''))]
  return decodes && isDecodable(address.pathname) ? [...required, fileURLToPath(address)] : required
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false
  }
}
