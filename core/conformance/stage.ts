// A stage: a title that states a property of the provider, and the check of it.
import type { Subject } from './subject.js'
import { World } from './world.js'

export interface Stage {
  readonly title: string
  /** Rejects when the rule does not hold. */
  run(subject: Subject): Promise<void>
}

/** Creates a stage that runs in a world of its own. */
export function stage(title: string, run: (world: World) => Promise<void>): Stage {
  return { title, run: (subject) => inWorld(subject, run) }
}

export async function inWorld(subject: Subject, run: (world: World) => Promise<void>): Promise<void> {
  const world = await World.open(subject)
  try {
    await run(world)
  } finally {
    await world.close()
  }
}
