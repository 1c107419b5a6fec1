// Changes recorded by an apply are durable before its next change or removal.
import t from 'tap'
import { expectDone } from '../../../core/conformance/expect.js'
import { MemoryDisk } from '../../../core/conformance/memory-disk.js'
import { inWorld } from '../../../core/conformance/stage.js'
import type { Appender } from '../../../core/ports/disk.js'
import { qoderSubject } from '../../conformance/subjects/qoder.js'

/** Disk whose writes take longer than responses of a provider. */
class SlowDisk extends MemoryDisk {
  override async append(path: string): Promise<Appender> {
    const appender = await super.append(path)
    const write = async (bytes: Uint8Array) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      await appender.write(bytes)
    }
    return { ...appender, write }
  }
}

const head = `version: "1"
providers:
  qoder:
    api_key: \${QODER_KEY}
agents:
`
const agent = (name: string, more = '') => `  ${name}:\n    model: auto\n    instructions: Help.\n${more}`
const team = '    multiagent: { type: coordinator, agents: [aide] }\n'

const before = { text: head + agent('lead') }
const after = { text: head + agent('aide') + agent('lead', team) }

t.test('an update is sent when the object that it refers to is recorded', (t) =>
  inWorld(qoderSubject, async (world) => {
    const disk = new SlowDisk()
    const project = world.withDisk(disk)
    const idOf = async (version: typeof after, name: string) =>
      (await project.rows(version)).get(`qoder.agent.${name}`)?.id
    expectDone(await project.apply({ version: before }))
    const lead = await idOf(before, 'lead')
    let recorded: string | undefined
    const ended = await project.apply({
      version: after,
      fate({ request, isWrite }) {
        if (isWrite && request.url.endsWith(`/${lead}`)) recorded = disk.text('/project/agents.state.journal')
        return 'answered'
      },
    })
    expectDone(ended)
    t.match(recorded, await idOf(after, 'aide'))
  }),
)
