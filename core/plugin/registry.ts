// Registry of a run: every kind, and the providers that agents.yaml declares.
import type { Kind } from './kind.js'
import type { Provider } from './provider.js'

export interface Registry {
  /** Kinds by name, in the order of the file's sections. */
  readonly kinds: ReadonlyMap<string, Kind>
  /** Kinds by top-level key of agents.yaml. */
  readonly sections: ReadonlyMap<string, Kind>
  /** The loaded providers by canonical name; a third-party provider by the key the file declares it under. */
  readonly providers: ReadonlyMap<string, Provider>
  /** Returns a provider by canonical name or alias. */
  provider(name: string): Provider | undefined
  /** Returns the canonical name of a provider, loaded or not; undefined for an unknown name. */
  canonicalName(name: string): string | undefined
}

export interface RegistryParts {
  readonly kinds: readonly Kind[]
  /** Providers by their names in the file. */
  readonly providers: ReadonlyMap<string, Provider>
  /** Other names to canonical names, including those of providers that are not loaded. */
  readonly aliases?: ReadonlyMap<string, string>
}

export function createRegistry({ kinds, providers, aliases = new Map() }: RegistryParts): Registry {
  const canonicalNames = new Map(aliases)
  for (const [name, provider] of providers) {
    canonicalNames.set(name, name)
    for (const alias of provider.aliases) canonicalNames.set(alias, name)
  }
  const provider = (name: string) => providers.get(canonicalNames.get(name) ?? name)
  const all = [...kinds, ...definedKinds(providers.values()).filter((kind) => !collides(kind, kinds))]
  return {
    kinds: new Map(all.map((kind) => [kind.kind, kind])),
    sections: new Map(all.map((kind) => [kind.section, kind])),
    providers,
    provider,
    canonicalName: (name) => canonicalNames.get(name) ?? canonicalNames.get(name.toLowerCase()),
  }
}

/** Returns the kinds that providers define themselves, in their handlers. */
export function definedKinds(providers: Iterable<Provider>): readonly Kind[] {
  const all = [...providers].flatMap(({ handlers }) => handlers.flatMap(({ definition }) => definition ?? []))
  return [...new Set(all)]
}

/** True if one of the kinds has the same name or the same section. */
export function collides({ kind, section }: Kind, kinds: readonly Kind[]): boolean {
  return kinds.some((known) => known.kind === kind || known.section === section)
}
