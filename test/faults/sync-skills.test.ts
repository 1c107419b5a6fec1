// `sync --import` of a skill on a disk that crashes at any call: agents.yaml never refers to an incomplete folder, and a
// second run completes the skill.
import t from 'tap'
import { chosen } from '../../core/conformance/chance.js'
import { expectDone } from '../../core/conformance/expect.js'
import { inWorld } from '../../core/conformance/stage.js'
import { effectiveChanges, type World } from '../../core/conformance/world.js'
import { claudeEmulator } from '../../plugins/claude/emulator/index.js'
import { claude } from '../../plugins/claude/index.js'
import { kinds } from '../../plugins/kinds/index.js'
import { emulated } from '../support/emulated.js'
import { importAll, projectFile } from '../support/round-trip.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { FaultDisk, survivals } from './disk.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const head = 'version: "1"\nproviders:\n  claude: { api_key: "${CLAUDE_KEY}" }\n'
const files = {
  'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n',
  'review/a/b/notes.md': 'Notes.',
}
const written = Object.keys(files).map((path) => `skills/${path}`)
const project = { text: `${head}skills:\n  review: { source: ./review }\n`, files }
const subject = {
  provider: claude,
  kinds,
  project,
  edits: {},
  variables: { CLAUDE_KEY: 'sk-ant-0123456789' },
  startService: emulated(claudeEmulator),
}

t.test('after a crash at any call to the disk while a skill is written, a second run completes the work', async (t) => {
  let calls = 0
  await inWorld(subject, async (world) => {
    const disk = await furnished(world)
    await importAll(world.withDisk(disk), written)
    calls = disk.calls.length
    await expectWhole(world.withDisk(disk))
  })
  t.ok(calls > 10, `${calls} calls`)
  for (const atCall of chosen(calls, sampleOf(16).sample))
    for (const when of ['before', 'after'] as const)
      for (const survival of isLong ? survivals : [survivals[atCall % survivals.length] ?? 'everything'])
        await inWorld(subject, async (world) => {
          const disk = await furnished(world)
          const here = world.withDisk(disk)
          disk.inject({ atCall, when, as: 'crash' })
          await t.rejects(importAll(here, written))
          const next = here.withDisk(disk.afterCrash(survival))
          const said = next.disk.text(projectFile) ?? ''
          if (said.includes('skills:')) expectFolder(next)
          await importAll(next, written)
          await expectWhole(next)
        })
})

/** An account with the skill, and an agents.yaml with nothing but the provider. */
async function furnished(world: World): Promise<FaultDisk> {
  expectDone(await world.ofOtherUser().apply({ version: project }))
  return new FaultDisk({ [projectFile]: head })
}

function expectFolder(world: World<FaultDisk>): void {
  for (const [path, text] of Object.entries(files)) {
    const current = world.disk.text(`/project/skills/${path}`)
    if (current !== text) throw new Error(`skills/${path} holds ${current}`)
  }
}

async function expectWhole(world: World<FaultDisk>): Promise<void> {
  expectFolder(world)
  const plan = await world.plan({ version: { text: world.disk.text(projectFile) ?? '' } })
  if (effectiveChanges(plan).length > 0) throw new Error(effectiveChanges(plan).join('\n'))
  if (plan.changes.length !== 1) throw new Error(`${plan.changes.length} resources instead of 1`)
}
