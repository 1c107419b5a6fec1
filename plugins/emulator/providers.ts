// Which emulators there are. Loaded on demand, so that nothing but an emulator ever loads one.
import type { EmulatedProvider } from './contract.js'

export const emulatedProviders: Readonly<Record<string, () => Promise<EmulatedProvider>>> = {
  claude: async () => (await import('../claude/emulator/index.js')).claudeEmulator,
}
