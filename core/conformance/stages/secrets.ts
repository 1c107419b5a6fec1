// Checks secrets that no response returns: only the requests show whether they were sent.
import assert from 'node:assert/strict'
import type { PlannedLeaf } from '../../plan/plan.js'
import type { HttpRequest } from '../../ports/http.js'
import { leafKeys } from '../../value/tree.js'
import { expectDone } from '../expect.js'
import { type Stage, stage } from '../stage.js'
import type { Subject, Version } from '../subject.js'
import { refusalOf, type World } from '../world.js'

export function secretStages({ project, edits, variables = {} }: Subject): readonly Stage[] {
  return [
    stage('a value of a variable that changed is sent', async (world) => {
      expectDone(await world.apply({ version: project }))
      for (const [name, value] of Object.entries(variables)) {
        const fresh = `${value}-rotated`
        const version: Version = { ...project, variables: { ...project.variables, [name]: fresh } }
        // The key of an account is a variable as well; a plan with another key may be refused.
        if ((await refusalOf(world.plan({ version }))).length > 0) continue
        const plan = await world.plan({ version })
        if (!plan.changes.some(({ action }) => action === 'update')) continue
        const sent = await sentBy(world, version)
        assert(
          sent.some((text) => text.includes(fresh)),
          `the new value of ${name} is in no request`,
        )
      }
    }),

    stage('what is not wanted any more and cannot be read back is taken away', async (world) => {
      for (const [what, version] of Object.entries(edits)) {
        expectDone(await world.apply({ version: project }))
        const { changes } = await world.plan({ version })
        const sent = await sentBy(world, version)
        for (const { address, kind, action, leaves, resource } of changes) {
          if (action !== 'update' || !resource) continue
          const parts = resource.handler.parts?.name
          for (const leaf of leaves.filter(isClearedUnseen)) {
            const keys = leafKeys(leaf.path)
            if (keys[0] === parts) continue // Parts are removed whole, by a call of their own.
            const isNamed = keys.some((key) => sent.some((text) => text.includes(JSON.stringify(key))))
            assert(
              isNamed,
              `after ${what}, no request says that ${leaf.label} of ${address} goes: look at ${kind}.update`,
            )
          }
        }
      }
    }),
  ]
}

function isClearedUnseen({ before, after }: PlannedLeaf): boolean {
  return after.type === 'absent' && (before.type === 'sensitive' || before.type === 'unverified')
}

/** Returns the bodies of all writes of an apply. */
async function sentBy(world: World, version: Version): Promise<readonly string[]> {
  const sent: Promise<string>[] = []
  const run = await world.run({
    version,
    fate: ({ request, isWrite }) => {
      if (isWrite) sent.push(textOf(request.body))
      return 'answered'
    },
  })
  assert(run.type === 'ended')
  expectDone(run)
  return Promise.all(sent)
}

async function textOf(body: HttpRequest['body']): Promise<string> {
  if (body === undefined || typeof body === 'string') return body ?? ''
  const texts = [...body].map(async ([name, value]) => {
    return `${JSON.stringify(name)} ${typeof value === 'string' ? value : await value.text()}`
  })
  return (await Promise.all(texts)).join('\n')
}
