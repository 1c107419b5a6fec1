// Puts a mistake into a provider: returns a copy with one member replaced.
import type { Call, Classification, Handler, Parts, Provider, UpdateRequest } from 'steward/plugin'
import type { Example } from './example.js'

export type Seed = (example: Example) => Example

export const inProvider =
  (change: (provider: Provider) => Partial<Provider>): Seed =>
  (example) => ({ ...example, provider: { ...example.provider, ...change(example.provider) } })

export const inHandler = (kind: string, change: (handler: Handler) => Partial<Handler>): Seed =>
  inProvider(({ handlers }) => ({
    handlers: handlers.map((one) => (one.kind === kind ? { ...one, ...change(one) } : one)),
  }))

export const inParts = (change: (parts: Parts<unknown, never>) => Partial<Parts<unknown, never>>): Seed =>
  inHandler('vault', ({ parts }) => {
    if (!parts) return {}
    const own = parts as unknown as Parts<unknown, never>
    return { parts: { ...own, ...change(own) } as never }
  })

/** Updates no longer send a member. */
export const forgetsTo = (kind: string, member: string): Seed =>
  inHandler(kind, ({ update }) => ({
    update: async (call: Call<unknown>, request: UpdateRequest) => {
      const changes = request.changes.filter(({ path }) => path.split('/')[0] !== member)
      return changes.length === 0 || !update ? request.remote : update(call, { ...request, changes })
    },
  }))

/** A client whose failures mean something else. */
export const classifying = (wrong: (right: Classification, status: number) => Classification['class']): Seed =>
  inProvider(({ classify, connect }) => {
    const misled: Provider['classify'] = (response) => {
      const right = classify(response)
      return { ...right, class: wrong(right, response.status) }
    }
    return {
      classify: misled,
      connect: (configuration, environment) => {
        const client = Object(connect(configuration, environment))
        return Reflect.construct(client.constructor, [{ ...Reflect.get(client, 'options'), classify: misled }])
      },
    }
  })

export const everyRow = async (handler: Handler, call: Call<unknown>) => {
  const all = []
  for await (const one of handler.list?.(call) ?? []) all.push(one)
  return all
}

/** The client of a call, as the handlers of the example use it. */
export interface Client {
  get(path: string, options?: object): Promise<Record<string, never>>
  create(path: string, body: object, options?: object): Promise<Record<string, never>>
  update(path: string, body: object, options?: object): Promise<Record<string, never>>
  delete(path: string, options?: object): Promise<void>
}

export const clientOf = (call: Call<unknown>): Client => call.client as Client
