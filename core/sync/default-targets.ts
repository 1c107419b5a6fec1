// Determines the provider of declarations without a pin; none if the file does not state one.
import type { Project } from '../plugin/declaration.js'

export function defaultTargets({ defaults, providers }: Project): readonly string[] {
  if (defaults.provider === 'all') return [...providers.keys()]
  if (defaults.provider !== undefined) return [defaults.provider]
  return providers.size === 1 ? [...providers.keys()] : []
}
