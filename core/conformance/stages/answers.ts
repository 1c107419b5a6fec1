// Another server answers with success in place of the service: a login page, a maintenance page, a gateway. Nothing of
// the response is recorded, nothing counts as removed, and the next run continues normally.
import assert from 'node:assert/strict'
import type { HttpResponse } from '../../ports/http.js'
import { parseAddress } from '../../value/address.js'
import { expectDone, expectNothingLeft, expectSettled } from '../expect.js'
import { expectNone } from '../findings.js'
import type { Fate, HttpCall } from '../life.js'
import { type Stage, stage } from '../stage.js'
import type { Subject, Version } from '../subject.js'
import { type Run, refusalOf, type World } from '../world.js'

const json = 'application/json'

const strangeAnswers: Readonly<Record<string, HttpResponse>> = {
  'a page': answer('<!doctype html><html><title>Please log in</title></html>', 'text/html; charset=utf-8'),
  nothing: answer('', json),
  null: answer('null', json),
  'an empty object': answer('{}', json),
  'an empty list': answer('[]', json),
  'an object of something else': answer('{"status":"ok","message":"maintenance until 6:00"}', json),
  'an object that breaks off': answer('{"id":"obj_1","name":"x', json),
  'an object that calls itself a page': answer('{"id":"obj_1","data":[]}', 'text/html'),
}

export function answerStages({ project, edits, provider }: Subject): readonly Stage[] {
  const [edit] = Object.values(edits)
  const stays = new Set(provider.handlers.filter(({ removal }) => removal === 'forget').map(({ kind }) => kind))
  return Object.entries(strangeAnswers).map(([what, instead]) =>
    stage(`where ${what} is answered with success, nothing is recorded and nothing is removed`, async (world) => {
      const always = (): Fate => ({ instead })
      const onWrites = ({ isWrite }: HttpCall): Fate => (isWrite ? { instead } : 'answered')

      expectNoneDone(await world.apply({ version: project, fate: onWrites }))
      assert.deepEqual(await idsOf(world, project), new Map(), 'no id was recorded')
      expectDone(await world.apply({ version: project }))
      await expectSettled(world, project)

      const ids = await idsOf(world, project)
      const refusals = await refusalOf(world.plan({ version: project, fate: always }))
      assert.notDeepEqual(refusals, [], 'a plan that could read nothing is refused')
      for (const mode of ['apply', 'destroy'] as const) {
        const version = mode === 'destroy' ? project : (edit ?? project)
        expectNoneDone(await world.apply({ version, mode, fate: onWrites }), stays)
        if (stays.size === 0) assert.deepEqual(await idsOf(world, version), ids, `${mode} leaves every id recorded`)
      }
      expectDone(await world.apply({ version: project }))
      await expectSettled(world, project, { allowsCopies: true, allowsPermanent: true })
      expectDone(await world.apply({ version: project, mode: 'destroy' }))
      await expectNothingLeft(world, project, { allowsCopies: true })
    }),
  )
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'replace', 'remove'])

function expectNoneDone({ outcomes, plan }: Run, except: ReadonlySet<string> = new Set()): void {
  const writing = plan.changes.filter(({ action, kind }) => writes.has(action) && !except.has(kind))
  const addresses = new Set(writing.map(({ address }) => address))
  const done = outcomes.filter(({ address, status }) => status === 'done' && addresses.has(address))
  const lines = done.map(({ address, action }) => {
    const member = action === 'replace' ? 'create' : action
    return `${address}: ${action}; look at ${parseAddress(address).kind}.${member}`
  })
  expectNone(lines, 'nothing counts as done')
}

async function idsOf(world: World, version: Version): Promise<ReadonlyMap<string, string>> {
  const rows = [...(await world.rows(version))]
  return new Map(
    rows.flatMap(([address, { id, ownership }]) =>
      id === null || ownership === 'external' ? [] : [[address, id] as const],
    ),
  )
}

function answer(text: string, type: string): HttpResponse {
  return { status: 200, headers: new Headers({ 'content-type': type }), text }
}
