// Every built-in kind and provider. A provider is loaded only when the file names it.
import type { Builtins } from '../core/plugin/loader.js'

export { kinds } from './kinds/index.js'

export const builtins: Builtins = {
  bailian: { aliases: ['p-a'], load: async () => (await import('./bailian/index.js')).bailian },
  qoder: { aliases: ['p-b'], load: async () => (await import('./qoder/index.js')).qoder },
  claude: { aliases: ['p-c'], load: async () => (await import('./claude/index.js')).claude },
  ark: { aliases: ['p-d'], load: async () => (await import('./ark/index.js')).ark },
}
