// Says in a few words what a removal cannot give back.
import type { Handler } from '../plugin/handler.js'

/** Returns what the removal loses. `holds`: content that no declaration has. */
export function irreversibleText({ removal }: Pick<Handler, 'removal'>, holds: string | undefined): string | undefined {
  if (removal === 'forget') return 'left behind; the provider cannot remove it'
  const lost = holds === undefined ? '' : ` with ${holds}`
  if (removal === 'archive') return `archived for good${lost}; it cannot be restored`
  return holds === undefined ? undefined : `deleted${lost}; it cannot be restored`
}
