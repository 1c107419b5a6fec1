// A create that was aborted may take effect late, after the next run has searched for it.
import t from 'tap'
import { expectDone, expectSettled } from '../../../core/conformance/expect.js'
import { inWorld } from '../../../core/conformance/stage.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { bailianSubject } from '../../conformance/subjects/bailian.js'

t.test('an object of ours that already has the name is bound, and no second one is requested', async (t) => {
  let looks = 0
  /** The first search is too early. */
  const handlers = bailian.handlers.map((handler) =>
    handler.kind === 'environment' && handler.list
      ? { ...handler, list: (call: never) => (++looks === 1 ? nothing() : (handler.list?.(call) ?? nothing())) }
      : handler,
  )
  const subject = { ...bailianSubject, provider: { ...bailian, handlers } }
  const { project: version } = subject
  await inWorld(subject, async (world) => {
    const ending = await world.run({
      version,
      fate: ({ request }) =>
        request.method === 'POST' && request.url.endsWith('/environments') ? 'dies after' : 'answered',
    })
    t.equal(ending.type, 'died')
    expectDone(await world.apply({ version }))
    t.equal(looks, 2)
    await expectSettled(world, version, { allowsCopies: true })
  })
})

t.test("another project's object is never bound, not even when that project has the same name", async (t) => {
  const { project: version } = bailianSubject
  await inWorld(bailianSubject, async (world) => {
    expectDone(await world.apply({ version }))
    const { outcomes } = await world.ofOtherUser().apply({ version, recreate: ['bailian'] })
    const failed = outcomes.filter(({ status }) => status === 'failed')
    t.match(failed, [{ address: 'bailian.environment.workshop', diagnostics: [{ code: 'provider.name-taken' }] }])
  })
})

async function* nothing() {}
