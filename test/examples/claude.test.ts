// The example for Claude.
import t from 'tap'
import { claudeEmulator } from '../../plugins/claude/emulator/index.js'
import { claude } from '../../plugins/claude/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Claude has every kind, and lives its whole life', (t) =>
  wholeLife(t, { provider: claude, emulator: claudeEmulator, folder: 'claude', agent: 'researcher' }),
)
