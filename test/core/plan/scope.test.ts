// `--target` and `--exclude` of a destroy: what uses a removed object must go as well, what it uses stays.
import t from 'tap'
import { expectDone } from '../../../core/conformance/expect.js'
import { inWorld } from '../../../core/conformance/stage.js'
import type { World } from '../../../core/conformance/world.js'
import { acmeSubject } from '../../support/acme.js'

const subject = await acmeSubject()
const { project: version } = subject

async function removed(
  world: World,
  scope: { readonly targets?: readonly string[]; readonly excludes?: readonly string[] },
) {
  const { changes } = await world.plan({ version, mode: 'destroy', ...scope })
  return changes.map(({ address }) => address).sort()
}

t.test('destroy --target removes the target and what uses it, and nothing that the target uses', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version }))
    t.same(await removed(world, { targets: ['acme.agent.reviewer'] }), ['acme.agent.reviewer'])
    t.same(await removed(world, { targets: ['acme.vault.keys'] }), ['acme.agent.reviewer', 'acme.vault.keys'])
  }),
)

t.test('destroy --exclude keeps the excluded resource and what it uses', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version }))
    t.same(await removed(world, { excludes: ['acme.agent.reviewer'] }), [
      'acme.agent.writer',
      'acme.skill.release',
      'acme.webhook.done',
    ])
    t.same(await removed(world, { excludes: ['acme.vault.keys'] }), [
      'acme.agent.reviewer',
      'acme.agent.writer',
      'acme.environment.workshop',
      'acme.skill.release',
      'acme.skill.review',
      'acme.webhook.done',
    ])
  }),
)
