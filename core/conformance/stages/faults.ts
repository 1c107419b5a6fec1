// With a service that is overloaded, fails, or loses answers, everything is still done, and nothing twice.
import { chanceOf } from '../chance.js'
import { expectDone, expectNothingLeft, expectSettled } from '../expect.js'
import type { Fate, HttpCall } from '../life.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'

const seeds = [1, 2, 3] as const
const share = 0.2

const faultCases: readonly {
  readonly what: string
  readonly write: readonly Fate[]
  readonly read: readonly Fate[]
}[] = [
  { what: 'is overloaded', write: ['overloaded'], read: ['overloaded'] },
  { what: 'fails', write: ['fails before', 'fails after'], read: ['fails before'] },
  {
    what: 'cannot be reached or loses its answers',
    write: ['unreachable', 'lost after'],
    read: ['unreachable', 'lost after'],
  },
]

export function faultStages(subject: Subject): readonly Stage[] {
  return [lostAnswers(subject), ...faultyServiceStages(subject)]
}

/** Returns the stage in which each object is created and updated, and the first answer to each write is lost. */
function lostAnswers({ project, edits }: Subject): Stage {
  return stage(
    'of each create and update an answer that is lost leaves nothing twice, and nothing to do',
    async (world) => {
      const answeredCalls = new Set<string>()
      const fate = ({ by, isWrite, request: { url, body } }: HttpCall): Fate => {
        if (!isWrite || !by || !/\.(create|update)$/.test(by.member)) return 'answered'
        const what = `${by.member} ${url} ${typeof body === 'string' ? body : ''}`
        if (answeredCalls.has(what)) return 'answered'
        answeredCalls.add(what)
        return 'lost after'
      }
      expectDone(await world.apply({ version: project, fate }))
      await expectSettled(world, project, { allowsCopies: true })
      for (const version of Object.values(edits)) {
        expectDone(await world.apply({ version, fate }))
        await expectSettled(world, version, { allowsCopies: true, allowsPermanent: true })
      }
    },
  )
}

function faultyServiceStages({ project, edits, sample }: Subject): readonly Stage[] {
  return faultCases.flatMap(({ what, write, read }) =>
    (sample ? [sample.seed] : seeds).map((seed) =>
      stage(`one request in five ${what}: everything is done, and nothing twice (seed ${seed})`, async (world) => {
        const chance = chanceOf(seed)
        const fate = ({ isWrite }: HttpCall): Fate => {
          const fates = isWrite ? write : read
          return chance() < share ? (fates[Math.floor(chance() * fates.length)] ?? 'answered') : 'answered'
        }
        expectDone(await world.apply({ version: project, fate }))
        await expectSettled(world, project, { allowsCopies: true })
        for (const version of Object.values(edits)) {
          expectDone(await world.apply({ version, fate }))
          await expectSettled(world, version, { allowsCopies: true, allowsPermanent: true })
        }
        expectDone(await world.apply({ version: project, mode: 'destroy', fate }))
        await expectNothingLeft(world, project, { allowsCopies: true })
      }),
    ),
  )
}
