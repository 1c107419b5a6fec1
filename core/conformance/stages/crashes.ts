// The process ends at every single write, before or after it took effect, and the next run continues.
import assert from 'node:assert/strict'
import { chosen } from '../chance.js'
import { expectDone, expectNothingLeft, expectSettled } from '../expect.js'
import type { Fate, HttpCall } from '../life.js'
import { inWorld, type Stage } from '../stage.js'
import type { Subject, Version } from '../subject.js'
import type { RunRequest, World } from '../world.js'

/** Apply or destroy to interrupt. */
interface Work {
  readonly what: string
  /** Version applied first, without interruption. */
  readonly from?: Version
  readonly to: Version
  readonly mode: 'apply' | 'destroy'
}

interface End {
  readonly how: string
  readonly fates: readonly Fate[]
  readonly interruptsBy?: RunRequest['interruptsBy']
}

const ends: readonly End[] = [
  { how: 'the process dies', fates: ['dies before', 'dies after'] },
  { how: 'it is asked to stop', fates: ['interrupts before', 'interrupts after'], interruptsBy: 'gentle' },
  { how: 'it is made to stop', fates: ['interrupts before', 'interrupts after'], interruptsBy: 'hard' },
]

export function crashStages({ project, edits }: Subject): readonly Stage[] {
  const works: readonly Work[] = [
    { what: 'a first apply', to: project, mode: 'apply' },
    ...Object.entries(edits).map(([what, to]) => ({
      what: `an apply after ${what}`,
      from: project,
      to,
      mode: 'apply' as const,
    })),
    { what: 'a destroy', from: project, to: project, mode: 'destroy' },
  ]
  return works.flatMap((work) =>
    ends.map((end) => ({
      title: `${end.how} at each write of ${work.what}: the next run goes on, with nothing lost and nothing twice`,
      run: (subject: Subject) => endAtEachWrite(subject, work, end),
    })),
  )
}

async function endAtEachWrite(subject: Subject, work: Work, end: End): Promise<void> {
  const writes = await countWrites(subject, work)
  assert(writes > 0, `${work.what} writes something`)
  for (const fate of end.fates)
    for (const write of chosen(writes, subject.sample))
      await inWorld(subject, async (world) => {
        try {
          await endAt(world, work, { ...end, write, fate })
        } catch (error) {
          throw new Error(
            `write ${write} of ${writes}, ${fate}${seedText(subject)}: ${error instanceof Error ? error.message : error}`,
            {
              cause: error,
            },
          )
        }
      })
}

async function endAt(
  world: World,
  { from, to, mode }: Work,
  { write, fate, interruptsBy }: End & { readonly write: number; readonly fate: Fate },
): Promise<void> {
  if (from) expectDone(await world.apply({ version: from }))
  await world.run({
    version: to,
    mode,
    fate: ({ isWrite, number }: HttpCall) => (isWrite && number === write ? fate : 'answered'),
    ...(interruptsBy ? { interruptsBy } : {}),
  })
  expectDone(await world.apply({ version: to, mode }))
  const tolerance = { allowsCopies: true, allowsPermanent: from !== undefined }
  if (mode === 'destroy') await expectNothingLeft(world, to, tolerance)
  else await expectSettled(world, to, tolerance)
}

async function countWrites(subject: Subject, { from, to, mode }: Work): Promise<number> {
  let writes = 0
  await inWorld(subject, async (world) => {
    if (from) expectDone(await world.apply({ version: from }))
    const run = await world.apply({ version: to, mode })
    expectDone(run)
    writes = run.writes
  })
  return writes
}

function seedText({ sample }: Subject): string {
  return sample ? ` (seed ${sample.seed})` : ''
}
