// List of the built-in emulators. They are loaded on demand, so that only running an emulator loads one.
import type { EmulatedProvider } from './emulator/contract.js'

export const emulatedProviders: Readonly<Record<string, () => Promise<EmulatedProvider>>> = {
  ark: async () => (await import('./ark/emulator/index.js')).arkEmulator,
  bailian: async () => (await import('./bailian/emulator/index.js')).bailianEmulator,
  claude: async () => (await import('./claude/emulator/index.js')).claudeEmulator,
  qoder: async () => (await import('./qoder/emulator/index.js')).qoderEmulator,
}
