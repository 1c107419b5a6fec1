// Checks the requests of handlers: each can be aborted, and one write creates one object.
import type { HttpRequest } from '../../ports/http.js'
import { expectNone, lineOf } from '../findings.js'
import { labelOf } from '../handled-objects.js'
import type { HttpCall } from '../life.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'
import type { MemberCall } from '../watched.js'
import { providersOf, type World } from '../world.js'

export function requestStages(subject: Subject): readonly Stage[] {
  return [
    stage('every request can be given up, and one write makes an object', async (world) => {
      const calls = await wholeLife(world)
      expectNone(requestsIgnoringAbort(calls), 'every request is sent with `call.signal`')
      expectNone(
        createsOfSeveralWrites(subject, calls),
        'a create is one write, or there is `abandon` for what it may leave',
      )
    }),
  ]
}

/** Returns the requests that a second Ctrl-C would not abort. */
function requestsIgnoringAbort(calls: readonly HttpCall[]): readonly string[] {
  const lines = [...requestsByCall(calls)].flatMap(([{ member, signal }, requests]) =>
    (signal?.deafRequests(requests) ?? requests).map((request) => `${member}: ${lineOf(request)}`),
  )
  return [...new Set(lines)]
}

function requestsByCall(calls: readonly HttpCall[]): ReadonlyMap<MemberCall, readonly HttpRequest[]> {
  const requests = new Map<MemberCall, HttpRequest[]>()
  for (const { by, request } of calls)
    if (by && !request.isSignIn) requests.set(by, [...(requests.get(by) ?? []), request])
  return requests
}

/** Returns the creates that consist of several writes: if the process ends between them, the object is incomplete. */
function createsOfSeveralWrites(subject: Subject, calls: readonly HttpCall[]): readonly string[] {
  const prepared = providersOf(subject).flatMap(({ handlers }) =>
    handlers.flatMap((handler) => (handler.abandon ? [`${labelOf(handler)}.create`] : [])),
  )
  const writes = calls.filter(
    ({ by, isWrite }) => isWrite && by?.member.endsWith('.create') && !prepared.includes(by.member),
  )
  const lines = [...requestsByCall(writes)].flatMap(([{ member }, requests]) =>
    requests.length < 2 ? [] : [`${member}: ${requests.map(lineOf).join(', then ')}`],
  )
  return [...new Set(lines)]
}

/** Returns the requests of an apply, of every edit and of a destroy. */
async function wholeLife(world: World): Promise<readonly HttpCall[]> {
  const { project, edits } = world.subject
  const calls: HttpCall[] = []
  for (const version of [project, ...Object.values(edits)]) calls.push(...(await world.apply({ version })).calls)
  calls.push(...(await world.apply({ version: project, mode: 'destroy' })).calls)
  return calls
}
