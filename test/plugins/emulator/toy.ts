// A toy provider with one kind, for testing the toolkit by itself.
import { Type } from 'typebox'
import {
  type Answer,
  type EmulatedProvider,
  type EmulatorContext,
  type Refused,
  refuse,
  route,
  seeding,
} from '../../../plugins/emulator/contract.js'
import { Knob } from '../../../plugins/emulator/knobs.js'
import { pageOf } from '../../../plugins/emulator/paging.js'
import type { StoredObject } from '../../../plugins/emulator/store.js'

const Toy = Type.Object(
  { name: Type.String({ minLength: 1 }), secret_value: Type.Optional(Type.String()) },
  { additionalProperties: false },
)

const statuses: Partial<Record<Refused['kind'], number>> = {
  invalid: 400,
  unauthorized: 401,
  notFound: 404,
  methodNotAllowed: 405,
  tooLarge: 413,
  rateLimited: 429,
  serverError: 500,
}

function create(
  context: EmulatorContext,
  body: { readonly name: string; readonly secret_value?: string },
  id = context.store.newId('toy_'),
): StoredObject {
  return context.store.insert({
    id,
    collection: 'toy',
    body: { id, name: body.name, archived_at: null },
    hidden: { secret: body.secret_value ?? null },
    createdAtMs: context.nowMs,
  })
}

export const toyProvider: EmulatedProvider = {
  provider: 'toy',
  apis: [
    {
      prefix: '/toy/v1',
      authorize: ({ headers }) =>
        headers['x-key'] ? undefined : { kind: 'unauthorized', message: 'the x-key header is missing' },
      error: (refused, { requestId }): Answer => ({
        status: refused.status ?? statuses[refused.kind] ?? 500,
        body: { wrong: refused.kind, message: refused.message, requestId },
      }),
      finish: (answer, { requestId }) => ({ ...answer, headers: { ...answer.headers, 'x-request-id': requestId } }),
      routes: [
        route({
          method: 'POST',
          path: '/toys',
          body: Toy,
          handle: (request) => ({ status: 201, body: create(request, request.body).body }),
        }),
        route({
          method: 'GET',
          path: '/toys',
          query: Type.Object(
            { limit: Type.Optional(Type.String()), page: Type.Optional(Type.String()) },
            { additionalProperties: false },
          ),
          handle({ store, query }) {
            const page = pageOf(store.all('toy'), { limit: Number(query.limit ?? 20), token: query.page })
            if (!page) throw refuse('invalid', 'page: unknown token')
            return { body: { data: page.rows.map(({ body }) => body), next_page: page.nextToken } }
          },
        }),
        route({
          method: 'GET',
          path: '/toys/:id',
          handle({ store, params }) {
            const toy = store.find('toy', params['id'] ?? '')
            if (!toy) throw refuse('notFound', 'no such toy')
            return { body: toy.body }
          },
        }),
        route({
          method: 'POST',
          path: '/uploads',
          isForm: true,
          body: Type.Object({ label: Type.Optional(Type.String()) }, { additionalProperties: false }),
          handle: ({ files, body }) => ({
            body: {
              label: body.label ?? null,
              files: files.map(({ field, filename, bytes }) => ({
                field,
                filename,
                text: Buffer.from(bytes).toString(),
              })),
            },
          }),
        }),
        route({
          method: 'GET',
          path: '/stream',
          handle: ({ signal }) => ({ stream: untilAborted(signal) }),
        }),
        route({
          method: 'GET',
          path: '/defect',
          handle: () => {
            throw new TypeError('a bug in a handler')
          },
        }),
      ],
    },
  ],
  collections: {
    toy: {
      kind: 'toy',
      isTopLevel: true,
      isPermanent: false,
      seeding: seeding({ schema: Toy, defaults: { name: 'seeded' }, create }),
    },
  },
  knobs: { color: Knob(Type.Enum(['red', 'blue']), 'red', 'Color of the toys.') },
  seed: (context) => {
    context.store.put({ ...create(context, { name: 'built in' }, 'toy_builtin'), isCatalogue: true })
    context.store.put({ ...create(context, { name: 'given' }, 'toy_given'), seeded: true })
  },
}

async function* untilAborted(signal: AbortSignal): AsyncGenerator<string> {
  yield 'data: first\n\n'
  if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
}
