// What a module refers to, by its text: an approximation that names too much rather than too little. Code that hides what it
// loads has been shown to the person who allowed it.
export interface References {
  /** Paths relative to the module. */
  readonly paths: readonly string[]
  /** Names of packages. */
  readonly packages: readonly string[]
  /** True if it loads something whose name is known only when it runs. */
  readonly isComputed: boolean
}

const gap = String.raw`(?:\s|/\*[^]{0,500}?\*/)*`
/** Bounded, so that no file takes long: it is read before anybody allowed it. */
const text = String.raw`(?:"([^"\\\n]{0,1000})"|'([^'\\\n]{0,1000})'|\`([^\`\\$]{0,1000})\`)`
const named = new RegExp(String.raw`\b(?:from|import|require|resolve)${gap}(?:\(${gap})?${text}`, 'g')
/** `new URL('./other.js', import.meta.url)`, which may name an address of a network as well. */
const located = new RegExp(String.raw`\b(?:URL|Worker)${gap}\(${gap}${text}`, 'g')
const called = new RegExp(String.raw`\b(?:import|require)${gap}\((?!${gap}${text}${gap}[,)])`)

export function referencesIn(source: string): References {
  const specifiers = textsOf(source, named).filter((specifier) => specifier !== '' && !specifier.startsWith('node:'))
  const isPath = (specifier: string) => /^(\.{0,2}\/|\.{1,2}$|file:)/.test(specifier)
  return {
    paths: [
      ...specifiers.filter(isPath),
      ...textsOf(source, located).filter((text) => /^\.{1,2}\/.*\.(?:[cm]?[jt]s|node|wasm)$/.test(text)),
    ],
    packages: [...new Set(specifiers.filter((one) => !isPath(one)).flatMap(packageOf))],
    // Names that begin with # are in the `imports` of package.json.
    isComputed: called.test(source) || specifiers.some((specifier) => specifier.startsWith('#')),
  }
}

function textsOf(source: string, pattern: RegExp): readonly string[] {
  return [...new Set([...source.matchAll(pattern)].map(([, ...texts]) => texts.find((one) => one !== undefined) ?? ''))]
}

function packageOf(specifier: string): readonly string[] {
  const [name] = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?=\/|$)/i.exec(specifier) ?? []
  return name === undefined ? [] : [name]
}
