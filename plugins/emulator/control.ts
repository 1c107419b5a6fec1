// The `/_emulator` endpoints, with which tests inspect and control running emulators.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { isObject, type JsonObject } from '../../core/value/tree.js'
import type { Collection } from './contract.js'
import type { Account } from './emulated-account.js'
import type { WriteHold } from './hold.js'
import { issuesOf } from './issues.js'
import { issueOfOwn, type Knobs, KnobsChange } from './knobs.js'
import type { RequestLog } from './log.js'
import { changeMembers } from './members.js'
import type { StoredObject } from './store.js'

export interface Control {
  readonly accounts: ReadonlyMap<string, Account>
  readonly log: RequestLog
  readonly hold: WriteHold
  readonly knobs: () => Knobs
  change(change: KnobsChange): void
  /** Resets objects, log and knobs to their initial state. */
  reset(): void
  saved(): Promise<void>
  readonly closing: AbortSignal
}

const Seed = Type.Object(
  {
    provider: Type.String(),
    kind: Type.String(),
    api: Type.Optional(Type.String()),
    id: Type.Optional(Type.String({ minLength: 1 })),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)

export function controlPlugin(control: Control): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, _request, reply) => {
      const status = error instanceof ControlError ? error.status : 400
      return reply.code(status).send({ error: error instanceof Error ? error.message : String(error) })
    })
    // A type without a body says nothing.
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_request: FastifyRequest, text: string) => (text === '' ? undefined : JSON.parse(text)),
    )
    app.get('/objects', async () => ({ objects: [...listObjects(control)] }))
    app.post('/objects', async (request, reply) => {
      const made = seed(control, parsed(Seed, request.body))
      await control.saved()
      return reply.code(201).send(made.body)
    })
    app.get<{ Params: { id: string } }>(
      '/objects/:id',
      async ({ params }) => requireObject(control, params.id).object.body,
    )
    app.patch<{ Params: { id: string } }>('/objects/:id', async ({ params, body }) => {
      const { account, object } = requireObject(control, params.id)
      if (!isObject(body)) throw new ControlError(400, 'the body must be a JSON object')
      const merged = { ...object, body: merge(object.body, body) }
      const touched = account.description.collections[object.collection]?.touched?.(merged, account.context()) ?? merged
      account.store.put(touched)
      await control.saved()
      return touched.body
    })
    app.delete<{ Params: { id: string } }>('/objects/:id', async ({ params }, reply) => {
      const { account, object } = requireObject(control, params.id)
      account.store.remove(object)
      await control.saved()
      return reply.code(204).send()
    })
    app.get('/requests', async () => ({ requests: control.log.all }))
    app.delete('/requests', async (_request, reply) => {
      control.log.clear()
      return reply.code(204).send()
    })
    app.post('/reset', async (_request, reply) => {
      control.reset()
      await control.saved()
      return reply.code(204).send()
    })
    app.get('/knobs', async () => ({ ...control.knobs(), hold: control.hold.state }))
    app.put('/knobs', async (request) => {
      const change = parsed(KnobsChange, request.body)
      for (const [name, own] of Object.entries(change)) {
        if (name in KnobsChange.properties) continue
        const account = control.accounts.get(name)
        const issue = account
          ? issueOfOwn(name, account.description.knobs ?? {}, own)
          : `${name}: no such knob and no such provider; there are ${[...Object.keys(KnobsChange.properties), ...control.accounts.keys()].join(', ')}`
        if (issue !== undefined) throw new ControlError(400, issue)
      }
      control.change(change)
      return { ...control.knobs(), hold: control.hold.state }
    })
    app.get('/held', async (_request, reply) => {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      await control.hold.untilHeld(AbortSignal.any([gone.signal, control.closing]))
      return { hold: control.hold.state }
    })
  }
}

class ControlError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

function* listObjects(control: Control): Generator<JsonObject> {
  for (const account of control.accounts.values()) {
    for (const object of account.store.everything()) {
      const collection = account.description.collections[object.collection]
      if (!collection?.isTopLevel || object.isCatalogue) continue
      yield {
        provider: account.description.provider,
        kind: collection.kind,
        ...(collection.api === undefined ? {} : { api: collection.api }),
        id: object.id,
        name: nameOf(collection, object),
        archived: account.isArchived(object),
        seeded: object.seeded,
        permanent: collection.isPermanent,
      }
    }
  }
}

function nameOf(collection: Collection, object: StoredObject): string {
  if (collection.name) return collection.name(object)
  const name = object.body['name']
  return typeof name === 'string' ? name : ''
}

function seed(control: Control, wanted: Static<typeof Seed>): StoredObject {
  const account = control.accounts.get(wanted.provider)
  if (!account) throw new ControlError(404, `${wanted.provider}: no such provider here`)
  const collections = Object.values(account.description.collections)
  const seeding = collections.find(
    ({ kind, api }) => kind === wanted.kind && (wanted.api === undefined || api === wanted.api),
  )?.seeding
  if (!seeding) throw new ControlError(400, `${wanted.kind}: ${wanted.provider} has no such kind that can be seeded`)
  const body = { ...seeding.defaults, ...wanted.body }
  const issue = issuesOf(seeding.schema, body)[0]
  if (issue) throw new ControlError(400, issue.message)
  const made = seeding.create(account.context(), body, wanted.id)
  return account.store.put({ ...made, seeded: true })
}

function requireObject(control: Control, id: string): { readonly account: Account; readonly object: StoredObject } {
  for (const account of control.accounts.values())
    for (const object of account.store.everything()) if (object.id === id) return { account, object }
  throw new ControlError(404, `${id}: no such object`)
}

/** Merges objects and replaces all other values. Null clears a member at the top level and removes one below. */
function merge(into: JsonObject, patch: JsonObject, depth = 0): JsonObject {
  return changeMembers(
    into,
    Object.entries(patch).map(([name, value]) => {
      const current = Object.hasOwn(into, name) ? into[name] : undefined
      if (value === null && depth > 0) return [name, undefined]
      return [name, isObject(value) && isObject(current) ? merge(current, value, depth + 1) : value]
    }),
  )
}

function parsed<Schema extends Parameters<typeof issuesOf>[0]>(schema: Schema, value: unknown): Static<Schema> {
  const issue = issuesOf(schema, value ?? {})[0]
  if (issue) throw new ControlError(400, issue.message)
  return (value ?? {}) as Static<Schema>
}
