// The 26 mistakes that an author seeded into a plugin for such a service, with the stage that has to find each, and what
// its message names.
import { patchBody } from '../../../core/plugin/body.js'
import type { FieldTable, Handler, UpdateRequest } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Fault } from '../seeded/faults.js'
import { classifying, clientOf, forgetsTo, inHandler, inParts, inProvider, type Seed } from '../seeded/seeds.js'

const removedOptions = 'after optional things were removed'
const refusals = 'refused for what it is'
const diesAtFirst = 'the process dies at each write of a first apply'
const secretLeaves = 'leaves for the secrets of a kind'

export const nimbusFaults: Readonly<Record<string, Fault>> = {
  'a cleared value is forgotten': {
    stage: removedOptions,
    says: /Not applied by the provider: description.*environment\.update/s,
    seed: forgetsTo('environment', 'note'),
  },
  'a removed key of a map is never sent': {
    stage: 'after one label was removed',
    says: /Not applied by the provider: labels.*environment\.update/s,
    seed: inHandler('environment', ({ fields }) => ({
      update: (call, request) =>
        patched(call, request, { ...patchBody(fields, request), labels: request.desired['labels'] ?? {} }),
    })),
  },
  'a map is sent whole where the service merges it': {
    stage: 'after one label was removed',
    says: /Not applied by the provider: labels.*environment\.update/s,
    seed: inRoomFields({ labels: { map: 'replace' } }),
  },
  'a cleared member of a kind without a list is forgotten': {
    stage: removedOptions,
    says: /Not applied by the provider: retries.*webhook\.update/s,
    seed: forgetsTo('webhook', 'retries'),
  },
  'a taken name is called invalid': {
    stage: refusals,
    says: /classify calls 409 title_taken .* invalid; create of \S+ says that it is nameTaken/,
    seed: classifying(({ code, class: right }) => (code === 'title_taken' ? 'invalid' : right)),
  },
  'a failed precondition is called invalid': {
    stage: refusals,
    says: /classify calls 412 changed .* invalid; update of \S+ says that it is stale/,
    seed: classifying(({ class: right }, status) => (status === 412 ? 'invalid' : right)),
  },
  'a request is sent without the signal': {
    stage: 'every request can be given up',
    says: /environment\.read: GET \/v2\/rooms\/…/,
    seed: inHandler('environment', () => ({ read: (call, id) => clientOf(call).get(`/rooms/${id}`) })),
  },
  'a secret is copied into a plain leaf': {
    stage: secretLeaves,
    says: /vault\.parts\.fields\['hint'\] lacks `secret: true`/,
    seed: inParts(({ desired }) => ({
      desired: (declaration, scope) =>
        Object.fromEntries(
          Object.entries(desired(declaration, scope)).map(([key, part]) => [key, { ...part, hint: part['value'] }]),
        ),
    })),
  },
  'a secret is no secret in fields': {
    stage: secretLeaves,
    says: /vault\.parts\.fields\['value'\] lacks `secret: true`/,
    seed: inParts(({ fields }) => ({ fields: { ...fields, value: { writeOnly: true } } })),
  },
  'a rotated secret is not sent': {
    stage: 'a value of a variable that changed is sent',
    says: /the new value of DESK is in no request/,
    seed: inParts(({ update }) => ({
      update: async (call, id, { desired: { value: _, ...desired }, ...part }) =>
        update?.(call, id, { ...part, desired }) ?? part.remote,
    })),
  },
  'a set is compared as a list': {
    stage: 'lists of values keep the order',
    says: /environment\.fields\['tools'\]: .* is answered as/,
    seed: inHandler('environment', ({ fields }) => ({ fields: { ...fields, tools: { clear: [] } } })),
  },
  'every change replaces the object': {
    stage: 'what somebody else changed is planned as drift',
    says: /at least one edit only changes resources in place|is seen to have drifted/,
    seed: inHandler('environment', () => ({ update: undefined as never })),
  },
  'a room is created without the idempotency key': {
    stage: diesAtFirst,
    says: /environment\.shop.*environment\.lostCreate|every object has its row/s,
    seed: inHandler('environment', () => ({
      create: (call, { desired }) => clientOf(call).create('/rooms', desired, call),
    })),
  },
  'a hook is created without the idempotency key': {
    stage: diesAtFirst,
    says: /every object has its row:\s+webhook .*look at create, lostCreate/,
    seed: (example) =>
      inHandler('webhook', () => ({
        create: (call, { desired }) => clientOf(call).create('/hooks', desired, call),
      }))({ ...example, sample: { size: 100, seed: 1 } }),
  },
  'a list ends with its first page': {
    stage: 'an apply creates what is declared',
    says: /nimbus\.vault\.keys: partial, .*Not applied by the provider: credentials\.\w+\.target/s,
    seed: inParts(({ list }) => ({
      async *list(call, id) {
        for await (const row of list(call, id)) {
          yield row
          return
        }
      },
    })),
  },
  'an object that is only marked as removed counts as there': {
    stage: 'an object that somebody else removed is created again',
    says: /nimbus\.environment\.\w+ is gone, and planned as none: look at read and isGone of environment/,
    seed: inHandler('environment', () => ({ isGone: () => false })),
  },
  'a removal is not verified': {
    stage: 'where an empty object is answered with success',
    says: /nothing counts as done:\s+nimbus\.\S+: remove; look at environment\.remove/,
    seed: inHandler('environment', () => ({
      remove: (call, id) => clientOf(call).delete(`/rooms/${id}`, { ...call, isGone: async () => true }),
    })),
  },
  'an ETag is observed': {
    stage: 'what somebody else changed is planned as drift',
    says: /`observed` leaves out what a service counts or dates:\s+nimbus\.environment\.\w+: etag/,
    seed: inHandler('environment', ({ observed }) => ({
      observed: (remote) => ({ ...observed(remote), etag: remote['etag'] }),
    })),
  },
  'what cannot be changed is patched': {
    stage: 'after the image is another',
    says: /nimbus\.environment\.shop: failed, .*fixed/,
    seed: inRoomFields({ image: {} }),
  },
  'an update names another version': {
    stage: 'after texts changed',
    says: /nimbus\.environment\.shop: failed, .*changed/,
    seed: inHandler('environment', ({ fields }) => ({
      update: (call, request) => patched(call, request, patchBody(fields, request), '"0"'),
    })),
  },
  'the emulator is ignored': {
    stage: 'with an emulator',
    says: /connect heeds emulatorUrl/,
    seed: inProvider(({ connect }) => ({
      connect: (configuration, { emulatorUrl: _, ...environment }) => connect(configuration, environment),
    })),
  },
  '`ready` is left out': {
    stage: 'reported as made or changed is ready',
    says: /environment\.ready: state of nimbus\.environment\.\w+ was "building" .* "running" later/,
    seed: inHandler('environment', () => ({ ready: undefined as never })),
  },
  'an expired token is not renewed': {
    stage: 'an authorization that has expired is renewed',
    says: /token_expired/,
    seed: inProvider(({ connect }) => ({
      connect(configuration, environment) {
        const client = Object(connect(configuration, environment))
        const { signIn: _, ...options } = Reflect.get(client, 'options')
        let token: Promise<string> | undefined
        const signedIn = async (): Promise<string> => {
          const { text } = await environment.http({
            method: 'POST',
            url: `${configuration['address']}/oauth/token`,
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({ client_secret: String(configuration['client_secret']) }).toString(),
            isSignIn: true,
          })
          return JSON.parse(text).access_token
        }
        const headers = async () => {
          token ??= signedIn()
          return { authorization: `Bearer ${await token}` }
        }
        return Reflect.construct(client.constructor, [{ ...options, headers }])
      },
    })),
  },
  'the overload of the service is called invalid': {
    stage: 'what the service itself answers when it is overloaded',
    says: /slow_down/,
    seed: classifying(({ code, class: right }) => (code === 'slow_down' ? 'invalid' : right)),
  },
  'credentials that are removed stay': {
    stage: 'a part with a secret goes with its declaration',
    says: /vault\.parts\.policy: 'upsert' leaves secrets that nobody declares any more: 'own'/,
    seed: inParts(() => ({ policy: () => 'upsert' })),
  },
  'an object is removed before the next one is made': {
    stage: refusals,
    says: /environment\.replace: 'deleteFirst' leaves a time without the object, .*: 'createFirst'/,
    seed: inHandler('environment', () => ({ replace: 'deleteFirst' })),
  },
}

function patched(call: Parameters<Handler['read']>[0], request: UpdateRequest, body: JsonObject, etag?: string) {
  const headers = { 'if-match': etag ?? String(request.remote['etag']) }
  return clientOf(call).update(`/rooms/${request.id}`, body, { ...call, method: 'PATCH', headers })
}

/** The fields of rooms are other ones, and updates are built from them. */
function inRoomFields(other: FieldTable): Seed {
  return inHandler('environment', (handler) => {
    const fields = { ...handler.fields, ...other }
    return { fields, update: (call, request) => patched(call, request, patchBody(fields, request)) }
  })
}
