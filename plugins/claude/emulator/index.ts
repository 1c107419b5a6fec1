// The emulated Claude API.
import type { EmulatedProvider } from '../../emulator/contract.js'

export const claudeEmulator: EmulatedProvider = { provider: 'claude', apis: [], collections: {} }
