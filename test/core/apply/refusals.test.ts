// Every error code of an apply, caused through its inputs.
import t from 'tap'
import { expectDone, expectSettled } from '../../../core/conformance/expect.js'
import { inWorld } from '../../../core/conformance/stage.js'
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { refusalOf, type World } from '../../../core/conformance/world.js'
import { applyPlan, planProject } from '../../../core/engine.js'
import { NotYet } from '../../../core/plugin/failure.js'
import type { Handler } from '../../../core/plugin/handler.js'
import { systemClock } from '../../../core/ports/clock.js'
import type { Http, HttpRequest } from '../../../core/ports/http.js'
import { qoderSubject } from '../../conformance/subjects/qoder.js'
import { acmeSubject } from '../../support/acme.js'

const subject = await acmeSubject()
const { project, edits } = subject
const described = edits['descriptions changed']
if (!described) throw new Error('the example has this edit')

/** The provider with one of its handlers changed. */
function withHandler(kind: string, change: (handler: Handler) => Partial<Handler>): Subject {
  const { provider } = subject
  const handlers = provider.handlers.map((one) => (one.kind === kind ? { ...one, ...change(one) } : one))
  return { ...subject, provider: { ...provider, handlers } }
}

/** Plans, runs a given step, and applies the plan. */
async function planned(world: World, version: Version, targets: readonly string[] = []) {
  const engine = await world.engine(version, world.begin())
  const plan = await planProject({ ...engine, mode: 'apply', scope: { providers: [], targets, excludes: [] } })
  return { engine, plan }
}

t.test('graph.cycle: resources in a dependency cycle are reported, and nothing is planned', (t) =>
  inWorld(
    withHandler('environment', (handler) => ({
      desired: (declaration, scope) => ({
        ...handler.desired(declaration, scope),
        description: scope.output('agent', 'reviewer'),
      }),
    })),
    async (world) => {
      t.match(await refusalOf(world.plan({ version: project })), [
        {
          code: 'graph.cycle',
          detail: /acme\.(agent\.reviewer -> acme\.environment\.workshop|environment\.workshop -> )/,
        },
      ])
      t.same(await world.service.objects(), [])
    },
  ),
)

t.test('apply.state-moved: a plan made before another run is refused, and changes nothing', (t) =>
  inWorld(subject, async (world) => {
    const { engine, plan } = await planned(world, project)
    expectDone(await world.apply({ version: project }))
    const before = await world.service.objects()
    t.match(await refusalOf(applyPlan(plan, engine)), [{ code: 'apply.state-moved', fix: /./ }])
    t.same(await world.service.objects(), before)
    await expectSettled(world, project)
  }),
)

t.test('apply.changed-meanwhile: an object that somebody changed after the plan is not overwritten', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    const { engine, plan } = await planned(world, {
      text: project.text.replace('Review what you are given.', 'Review it three times.'),
    })
    expectDone(await world.withDisk(world.disk.copy()).apply({ version: described }))
    const { outcomes } = await applyPlan(plan, engine)
    t.match(outcomes, [
      { address: 'acme.agent.reviewer', status: 'failed', diagnostics: [{ code: 'apply.changed-meanwhile' }] },
    ])
    const { changes } = await world.plan({ version: described })
    t.same(
      changes.filter(({ address, action }) => address === 'acme.agent.reviewer' && action !== 'none'),
      [],
      'the change by the other client is kept',
    )
  }),
)

t.test('apply.lost-create-ambiguous: of two objects that could be ours none is bound, and both are named', (t) =>
  inWorld(subject, async (world) => {
    const posts: HttpRequest[] = []
    const ending = await world.run({
      version: project,
      fate: ({ request }) => {
        if (!/\/agents$/.test(request.url) || request.method !== 'POST') return 'answered'
        posts.push(request)
        return 'dies after'
      },
    })
    t.equal(ending.type, 'died')
    const [first] = (await world.service.objects()).filter(({ kind }) => kind === 'agent')
    // Somebody copied the object by hand, with its mark.
    for (const { url, headers, body } of posts) {
      const copy = JSON.stringify({ ...JSON.parse(String(body)), name: 'copy' })
      t.equal((await fetch(url, { method: 'POST', headers, body: copy })).status, 200)
    }
    const refused = await refusalOf(world.plan({ version: project }))
    t.match(refused, [{ code: 'apply.lost-create-ambiguous', fix: /agents import acme\.agent\./ }])
    t.match(refused[0]?.detail, new RegExp(first?.id ?? 'none'))
  }),
)

t.test('apply.waits-for: dependents of a waiting resource wait too, and do not fail', (t) =>
  inWorld(
    withHandler('environment', () => ({
      create: async () => {
        throw new NotYet('Workshops are built in winter.')
      },
    })),
    async (world) => {
      const { outcomes } = await world.apply({ version: project })
      const of = (kind: string) => outcomes.filter(({ address }) => address.includes(`.${kind}.`))
      t.match(of('environment'), [{ status: 'waiting', diagnostics: [{ code: 'apply.not-yet' }] }])
      t.match(of('agent'), [
        { status: 'waiting', diagnostics: [{ code: 'apply.waits-for', detail: /acme\.environment\.workshop/ }] },
        { status: 'waiting', diagnostics: [{ code: 'apply.waits-for' }] },
      ])
      t.match(of('vault'), [{ status: 'done' }])
    },
  ),
)

t.test('apply.deadline: a change that takes too long is aborted, and the next apply finds its result', (t) =>
  inWorld(subject, async (world) => {
    const { engine, plan } = await planned(world, project, ['acme.environment.workshop'])
    const http: Http = async (request) => {
      const answer = await engine.ports.http(request)
      return request.method === 'POST' ? until(request.signal) : answer
    }
    const { outcomes } = await applyPlan(plan, { ...engine, ports: { ...engine.ports, http }, changeDeadlineMs: 200 })
    t.match(outcomes, [
      { address: 'acme.environment.workshop', status: 'failed', diagnostics: [{ code: 'apply.deadline' }] },
    ])
    t.match((await world.rows(project)).get('acme.environment.workshop')?.operation, { type: 'create' })
    expectDone(await world.apply({ version: project }))
    await expectSettled(world, project)
  }),
)

t.test('an upload may take longer than other changes, by its size', (t) =>
  inWorld(qoderSubject, async (world) => {
    const { project: small } = qoderSubject
    const version = { ...small, files: { ...small.files, 'handbook.md': 'x'.repeat(1_000_000) } }
    const { engine, plan } = await planned(world, version)
    const isUpload = (request: HttpRequest) => request.method === 'POST' && /\/files$/.test(request.url)
    const http: Http = async (request) => {
      // The deadline of a change without anything to upload has passed then.
      if (isUpload(request)) await systemClock.sleep(20, request.signal)
      return engine.ports.http(request)
    }
    const { outcomes } = await applyPlan(plan, { ...engine, ports: { ...engine.ports, http }, changeDeadlineMs: 1 })
    t.match(
      outcomes.filter(({ address }) => address.includes('.file.')),
      [{ status: 'done' }],
    )
  }),
)

t.test('source.changed: a file that changed after the plan is not sent', (t) =>
  inWorld(qoderSubject, async (world) => {
    const version = qoderSubject.project
    const { engine, plan } = await planned(world, version)
    world.disk.put('/project/handbook.md', 'Be quick.\n')
    world.disk.put('/project/review/SKILL.md', '---\nname: review\ndescription: How\n---\nBe quick.\n')
    const { outcomes } = await applyPlan(plan, engine)
    const failed = outcomes.filter(({ status }) => status === 'failed')
    t.match(failed.map(({ address, diagnostics }) => [address, diagnostics[0]?.code, diagnostics[0]?.detail]).sort(), [
      ['qoder.file.handbook', 'source.changed', /handbook\.md/],
      ['qoder.skill.review', 'source.changed', /review\/SKILL\.md/],
    ])
    expectDone(await world.apply({ version }))
    await expectSettled(world, version)
  }),
)

/** A response that never arrives. */
function until(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}
