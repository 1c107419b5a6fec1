// A plugin for Nimbus, as its author would write it.
import type { EnvironmentBody, VaultBody } from 'steward/kinds'
import type { Classify, FailureClass, Handler, JsonObject, Paging, Remote, Tree } from 'steward/plugin'

const {
  ApiAddress,
  ApiClient,
  ApiKey,
  classifyByStatus,
  Exact,
  handler,
  isFailure,
  isObject,
  kind,
  linkPaging,
  OneOf,
  patchBody,
  ProviderName,
  provider,
  Text,
  Type,
} = await import('steward/plugin')

type Client = InstanceType<typeof ApiClient>

const classes: Readonly<Record<string, FailureClass>> = {
  title_taken: 'nameTaken',
  changed: 'stale',
  unknown: 'gone',
  deleted: 'gone',
  slow_down: 'retry',
}

const classify: Classify = ({ status, body }) => {
  const problem = isObject(body) && isObject(body['problem']) ? body['problem'] : {}
  const { reason, message } = problem
  return {
    class: classes[String(reason)] ?? classifyByStatus(status, body),
    ...(typeof reason === 'string' ? { code: reason } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

/** Rows are in `items`, and the address of the next page is in the headers. */
const paging: Paging = { ...linkPaging, rows: ['items'] }

const isGone = ({ deleted_at }: Remote): boolean => deleted_at !== null
const idOf = ({ id }: Remote) => ({ id: String(id) })
const createdAtMs = ({ created_at }: Remote): number => Date.parse(String(created_at))
const guarded = ({ remote }: { readonly remote: Remote }) => ({
  method: 'PATCH',
  headers: { 'if-match': String(remote['etag']) },
})

const roomFields = {
  title: { label: 'name' },
  note: { label: 'description', clear: null },
  image: { immutable: true },
  tools: { unordered: true, clear: [] },
  labels: { map: 'patchNull' },
} as const

const room: Handler<Client, EnvironmentBody> = {
  kind: 'environment',
  form: 1,
  fields: roomFields,
  mark: 'labels',
  isGone,
  desired: ({ name, body }) => ({
    title: body.name ?? name,
    note: body.description,
    image: body.config?.type,
    tools: Object.values(body.config?.packages ?? {}).flat(),
    labels: body.metadata,
  }),
  observed: ({ title, note, image, tools, labels }) => ({ title, note, image, tools, labels }),
  outputs: idOf,
  createdAtMs,
  read: (call, id) => call.client.get(`/rooms/${id}`, call),
  create: (call, { desired, nonce }) =>
    call.client.create('/rooms', desired, { ...call, headers: { 'x-request-key': nonce } }),
  update: (call, request) =>
    call.client.update(`/rooms/${request.id}`, patchBody(roomFields, request), { ...call, ...guarded(request) }),
  remove: (call, id) => call.client.delete(`/rooms/${id}`, call),
  removal: 'delete',
  list: (call) => call.client.list('/rooms', call, paging),
  listIsComplete: true,
  replace: 'createFirst',
  async makeWay(call, id) {
    const title = `replaced ${id}`
    const remote = await call.client.get(`/rooms/${id}`, call)
    try {
      await call.client.update(`/rooms/${id}`, { title }, { ...call, ...guarded({ remote }) })
    } catch (error) {
      // The answer of the first attempt was lost, and its repetition names the revision from before it.
      if (!isFailure(error, 'stale') || (await call.client.get(`/rooms/${id}`, call))['title'] !== title) throw error
    }
  },
  lostCreate: { by: 'key' },
  ready: {
    state: ({ state }) => (state === 'running' ? 'ready' : 'pending'),
    firstDelayMs: 20,
    longestDelayMs: 200,
    timeoutMs: 20_000,
  },
}

const safeFields = { title: { label: 'display_name' }, labels: { map: 'patchNull' } } as const

const safe: Handler<Client, VaultBody> = {
  kind: 'vault',
  form: 1,
  fields: safeFields,
  mark: 'labels',
  isGone,
  desired: ({ name, body }) => ({ title: body.display_name ?? name, labels: body.metadata }),
  observed: ({ title, labels }) => ({ title, labels }),
  outputs: idOf,
  createdAtMs,
  read: (call, id) => call.client.get(`/safes/${id}`, call),
  async create(call, { desired, nonce }) {
    const headers = { 'x-request-key': nonce }
    const { location } = await call.client.create('/safes', desired, { ...call, headers, answer: Type.Object({}) })
    const operation = await call.client.finished(
      String(location),
      {
        state: ({ state }) => (state === 'done' ? 'ready' : 'pending'),
        firstDelayMs: 20,
        longestDelayMs: 200,
        timeoutMs: 20_000,
      },
      call,
    )
    return call.client.get(`/safes/${operation['target']}`, call)
  },
  update: (call, request) =>
    call.client.update(`/safes/${request.id}`, patchBody(safeFields, request), { ...call, ...guarded(request) }),
  remove: (call, id) => call.client.delete(`/safes/${id}`, call),
  removal: 'delete',
  list: (call) => call.client.list('/safes', call, paging),
  replace: 'createFirst',
  lostCreate: { by: 'key' },
  parts: {
    name: 'credentials',
    policy: () => 'own',
    fields: { target: { immutable: true }, hint: { clear: null }, value: { secret: true, writeOnly: true } },
    desired: ({ body }) =>
      Object.fromEntries(
        (body.credentials ?? []).flatMap((one): [string, Tree][] =>
          one.type === 'static_bearer'
            ? [[one.name, { target: one.mcp_server_url, value: one.access_token, hint: one.protocol }]]
            : [],
        ),
      ),
    list: (call, id) => call.client.list(`/safes/${id}/items`, call, paging),
    key: ({ slug }) => String(slug),
    id: ({ id }) => String(id),
    isGone,
    observed: ({ target, hint }) => ({ target, hint }),
    create: (call, id, { key, desired }) => call.client.create(`/safes/${id}/items`, { slug: key, ...desired }, call),
    update: (call, id, { id: item, desired: { value, hint } }) =>
      call.client.update(`/safes/${id}/items/${item}`, { value, hint: hint ?? null }, { ...call, method: 'PATCH' }),
    remove: (call, id, item) => call.client.delete(`/safes/${id}/items/${item}`, call),
  },
}

const hookSchema = Exact(
  {
    provider: Type.Optional(ProviderName()),
    url: Text({ minLength: 1, description: 'Address.', examples: ['https://hooks.example.com/a'] }),
    topics: Type.Array(OneOf(['started', 'ended', 'failed'], { description: 'A topic.' }), {
      minItems: 1,
      description: 'What it is called for.',
      examples: [['ended']],
    }),
    retries: Type.Optional(Type.Integer({ minimum: 0, description: 'How often it is tried again.' })),
  },
  { description: 'An address that is called.' },
)

const hookFields = { topics: { unordered: true }, retries: { clear: null } } as const

const hook: Handler<Client> = {
  kind: 'webhook',
  form: 1,
  fields: hookFields,
  isGone,
  definition: kind({
    kind: 'webhook',
    section: 'webhooks',
    summary: 'Addresses that are called.',
    schema: hookSchema,
    references: () => [],
    rules: [],
  }),
  desired: ({ name, body }) => ({ title: name, url: body['url'], topics: body['topics'], retries: body['retries'] }),
  observed: ({ title, url, topics, retries }) => ({ title, url, topics, retries }),
  outputs: idOf,
  createdAtMs,
  read: (call, id) => call.client.get(`/hooks/${id}`, call),
  create: (call, { desired, nonce }) =>
    call.client.create('/hooks', desired, { ...call, headers: { 'x-request-key': nonce } }),
  update: (call, request) =>
    call.client.update(`/hooks/${request.id}`, patchBody(hookFields, request), { ...call, ...guarded(request) }),
  remove: (call, id) => call.client.delete(`/hooks/${id}`, call),
  removal: 'delete',
  replace: 'createFirst',
  lostCreate: { by: 'key' },
}

export default provider({
  name: 'nimbus',
  aliases: [],
  title: 'Nimbus',
  configuration: Exact({
    client_secret: ApiKey({ minLength: 1, description: 'Secret of the client.' }),
    address: ApiAddress({ minLength: 1, description: 'Address of the API.' }),
  }),
  classify,
  identify: ({ address }) => ({ host: String(address) }),
  missing: ['file', 'memory_store', 'tunnel', 'identity', 'channel', 'deployment', 'skill', 'agent'].map((kind) => ({
    kind,
    reason: 'Nimbus has none',
  })),
  rules: [],
  handlers: [handler(room), handler(safe), handler(hook)],
  connect({ address, client_secret }: JsonObject, environment) {
    const root = environment.emulatorUrl ?? String(address)
    return new ApiClient({
      baseUrl: `${root}/v2`,
      async signIn(send) {
        const body = new URLSearchParams({ grant_type: 'client_credentials', client_secret: String(client_secret) })
        const { access_token } = await send({ url: `${root}/oauth/token`, body })
        return { authorization: `Bearer ${access_token}` }
      },
      result: (body, { headers }) => {
        const [etag, location] = [headers.get('etag'), headers.get('location')]
        return { ...body, ...(etag === null ? {} : { etag }), ...(location === null ? {} : { location }) }
      },
      classify,
      isRemoved: isGone,
      environment,
    })
  },
})
