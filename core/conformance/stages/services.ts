// This stage judges how a handler takes what services do by themselves: end authorizations, refuse load, finish work later.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { Remote } from '../../plugin/handler.js'
import type { HttpResponse } from '../../ports/http.js'
import { isObject, type Json } from '../../value/tree.js'
import { expectDone, expectNothingLeft, expectSettled } from '../expect.js'
import { expectNone } from '../findings.js'
import { type HandledObject, labelOf, objectsOf } from '../handled-objects.js'
import type { Fate, HttpCall } from '../life.js'
import { type Stage, stage } from '../stage.js'
import type { Subject, Version } from '../subject.js'
import type { World } from '../world.js'

export function serviceStages({ project, edits }: Subject): readonly Stage[] {
  return [
    stage('an authorization that has expired is renewed, and the request sent again', async (world) => {
      const { service } = world
      let signIns = 0
      let isExpired = false
      /** Ends the authorization before the first request of which `isWrite` is as given, and counts the sign-ins. */
      const expiringAt =
        (isWrite: boolean) =>
        (call: HttpCall): Fate => {
          if (call.request.isSignIn) signIns += 1
          else if (!isExpired && call.isWrite === isWrite && call.number > 1) {
            isExpired = true
            service.expireTokens?.()
          }
          return 'answered'
        }
      expectDone(await world.apply({ version: project, fate: expiringAt(true) }))
      await expectSettled(world, project)
      if (signIns === 0 && !service.expireTokens) return
      assert(service.expireTokens, 'a provider that signs in needs `expireTokens` of the `Service`')
      for (const version of allOf(edits)) {
        isExpired = false
        expectDone(await world.apply({ version, fate: expiringAt(false) }))
        await expectSettled(world, version, { allowsPermanent: true })
      }
      isExpired = false
      expectDone(await world.apply({ version: project, mode: 'destroy', fate: expiringAt(true) }))
      await expectNothingLeft(world, project)
    }),

    stage('what the service itself answers when it is overloaded is temporary', async (world) => {
      const { service } = world
      let requests = 0
      const fate = (): Fate => {
        requests += 1
        if (requests % overloadedEvery === 0) service.overload?.()
        return 'answered'
      }
      if (service.overload) expectDone(await world.apply({ version: project, fate }))
      if (service.overload) await expectSettled(world, project)
    }),

    stage('an object that is reported as made or changed is ready', async (world) => {
      for (const version of [project, ...allOf(edits)]) expectNone(await unfinished(world, version), rule)
    }),
  ]
}

const overloadedEvery = 4

const rule = 'an apply waits with `ready` for what the service finishes later'

const unfinishedWords =
  /^(pending|queued|(creat|build|provision|start|initiali[sz]|updat|process|validat|deploy|scal|restart)ing|in[_ -]?progress)$/i

/** Time in which a service of a test finishes what it accepted. */
const finishedWithinMs = 2_000

/**
 * Applies a version, and returns the objects that the run last saw unfinished and that changed by themselves
 * afterwards.
 */
async function unfinished(world: World, version: Version): Promise<readonly string[]> {
  const lastSeen = new Map<string, Remote>()
  const seen = ({ text }: HttpResponse): void => {
    const body = parsed(text)
    for (const remote of isObject(body) ? [body, ...Object.values(body).flat()] : [])
      if (isObject(remote) && typeof remote['id'] === 'string') lastSeen.set(remote['id'], remote)
  }
  expectDone(await world.apply({ version, seen }))
  const lines: string[] = []
  for (const object of await objectsOf(world, version)) {
    const words = Object.entries(lastSeen.get(object.id) ?? {}).filter(([, value]) => isUnfinished(value))
    for (const [member, word] of words) {
      const later = await changedTo(object, member, word)
      const text = `${labelOf(object.handler)}.ready: ${member} of ${object.address} was ${JSON.stringify(word)}`
      if (later !== undefined) lines.push(`${text} when it was reported as done, and ${JSON.stringify(later)} later`)
    }
  }
  return lines
}

function isUnfinished(value: Json | undefined): boolean {
  return typeof value === 'string' && unfinishedWords.test(value)
}

/** Returns what a member becomes without a write; undefined if it stays. */
async function changedTo({ handler, call, id }: HandledObject, member: string, before: Json | undefined) {
  const endsAtMs = Date.now() + finishedWithinMs
  while (Date.now() < endsAtMs) {
    const now = (await handler.read(call, id))[member]
    if (now !== undefined && now !== before) return now
    await setTimeout(20)
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function allOf(edits: Subject['edits']): readonly Version[] {
  return Object.values(edits)
}
