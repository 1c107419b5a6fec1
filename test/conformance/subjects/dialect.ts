// The project of Claude on a service that speaks its wire with other headers and another toolset.

import type { Subject, Version } from '../../../core/conformance/subject.js'
import { lacksText } from '../../../core/declaration/dialect.js'
import { dialectOf } from '../../../core/plugin/dialect.js'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { emulated } from '../../support/emulated.js'
import { claudeSubject, outsideObjects } from './claude.js'

const ofClaude = '  claude:\n    api_key: ${CLAUDE_KEY}\n'
const ofDialect = `  zhipu:
    like: claude
    api_key: \${CLAUDE_KEY}
    auth: bearer
    headers: { zai-version: 2026-05-26, zai-beta: managed-agents-2026-05-26 }
    toolset: agent_toolset_20260601
`

function onDialect(version: Version): Version {
  if (!version.text.includes(ofClaude)) throw new Error('the project of Claude declares its provider otherwise')
  return { ...version, text: version.text.replace(ofClaude, () => ofDialect) }
}

export const dialectSubject: Subject = {
  ...claudeSubject,
  provider: dialectOf(claude, { name: 'zhipu', lacks: {}, configuration: claude.configuration, refusal: lacksText }),
  builtins: [claude],
  project: onDialect(claudeSubject.project),
  edits: Object.fromEntries(Object.entries(claudeSubject.edits).map(([title, edit]) => [title, onDialect(edit)])),
  startService: async () => {
    const service = await emulated(claudeEmulator)()
    // The account of a dialect exists from its first request on.
    await fetch(`${service.emulatorUrl}/zhipu/claude/v1/agents`)
    for (const object of outsideObjects) {
      const { status } = await fetch(`${service.emulatorUrl}/_emulator/objects`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ provider: 'zhipu', ...object }),
      })
      if (status !== 201) throw new Error(`the emulator took no ${object.kind}: ${status}`)
    }
    return service
  },
}
