// `steward/providers`: the built-in providers. Their names are known without loading them; the code of a provider is
// loaded if agents.yaml declares it.
import type { Builtins } from '../core/plugin/loader.js'

export const builtins: Builtins = {
  bailian: { aliases: ['p-a'], load: async () => (await import('./bailian/index.js')).bailian },
  qoder: { aliases: ['p-b'], load: async () => (await import('./qoder/index.js')).qoder },
  claude: { aliases: ['p-c'], load: async () => (await import('./claude/index.js')).claude },
  ark: { aliases: ['p-d'], load: async () => (await import('./ark/index.js')).ark },
}
