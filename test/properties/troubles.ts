// Random faults for one run: overload, failures, lost responses, and the end of the process at some write.
import fc from 'fast-check'
import { chanceOf } from '../../core/conformance/chance.js'
import type { Fate, HttpCall } from '../../core/conformance/life.js'
import type { RunRequest } from '../../core/conformance/world.js'

export interface Trouble extends Pick<RunRequest, 'interruptsBy'> {
  fate(call: HttpCall): Fate
  /** Description for reports. */
  readonly made: unknown
}

const onWrites: readonly Fate[] = ['overloaded', 'fails before', 'fails after', 'unreachable', 'lost after']
const onReads: readonly Fate[] = ['overloaded', 'fails before', 'unreachable', 'lost after']
const ends: readonly Fate[] = ['dies before', 'dies after', 'interrupts before', 'interrupts after']

export const anyTrouble: fc.Arbitrary<Trouble> = fc
  .record({
    seed: fc.nat(),
    /** Share of all requests. */
    share: fc.constantFrom(0, 0.1, 0.3),
    end: fc.option(fc.record({ write: fc.integer({ min: 1, max: 40 }), fate: fc.constantFrom(...ends) })),
    interruptsBy: fc.constantFrom('gentle' as const, 'hard' as const),
  })
  .map((made) => {
    const { seed, share, end, interruptsBy } = made
    const chance = chanceOf(seed)
    return {
      interruptsBy,
      made,
      fate({ isWrite, number }: HttpCall): Fate {
        if (end && isWrite && number === end.write) return end.fate
        if (chance() >= share) return 'answered'
        const fates = isWrite ? onWrites : onReads
        return fates[Math.floor(chance() * fates.length)] ?? 'answered'
      },
    }
  })
