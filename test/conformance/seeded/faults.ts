// Mistakes in plugins, with the stage of the suite that detects each, and its message.
import { isFailure } from '../../../core/plugin/failure.js'
import { classifying, clientOf, everyRow, forgetsTo, inHandler, inParts, inProvider, type Seed } from './seeds.js'

export interface Fault {
  /** Words of the title of the stage. */
  readonly stage: string
  readonly says: RegExp
  readonly seed: Seed
}

const firstApply = 'an apply creates what is declared'
const diesAtFirst = 'the process dies at each write of a first apply'
const removedOptions = 'after optional things were removed'
const byStatus = 'overload and failures of a service are temporary'
const refusals = 'refused for what it is'
const drift = 'somebody else changed is planned as drift'
const survival = 'what agents.yaml cannot express survives'

/** All writes, not a sample of them. */
const everywhere =
  (seed: Seed): Seed =>
  ({ sample: _, ...example }) =>
    seed(example)

export const faults: Readonly<Record<string, Fault>> = {
  'remove goes to another path and takes what is not found for gone': {
    stage: 'destroy removes everything',
    says: /nothing is left that can be removed:[\s\S]*skill release .*look at skill\.remove/,
    seed: inHandler('skill', () => ({
      remove: (call, id) =>
        clientOf(call)
          .delete(`/skills/skill-${id}`, call)
          .catch((error) => {
            if (!isFailure(error, 'gone')) throw error
          }),
    })),
  },
  'remove swallows every failure': {
    stage: 'where a page is answered with success',
    says: /nothing counts as done:\s+acme\.agent\.\w+: remove; look at agent\.remove/,
    seed: inHandler('agent', ({ remove }) => ({ remove: (call, id) => remove(call, id).catch(() => {}) })),
  },
  'a create may be repeated by the client': {
    stage: 'an answer that is lost leaves nothing twice',
    says: /every object has its row:\s+agent .*look at create, lostCreate/,
    seed: inHandler('agent', () => ({
      create: (call, { desired }) => clientOf(call).update('/agents', desired, { ...call, method: 'POST' }),
    })),
  },
  'a create is tried again by the handler': {
    stage: 'an answer that is lost leaves nothing twice',
    says: /every object has its row:\s+agent .*look at create, lostCreate/,
    seed: inHandler('agent', ({ create }) => ({
      create: (call, request) => create(call, request).catch(() => create(call, request)),
    })),
  },
  'a list ends with its first page': {
    stage: 'lists show every object',
    says: /agent\.list: acme\.agent\.\w+ \(agent_.*\) is not in it; does it go on to the last page\?/,
    seed: inHandler('agent', () => ({
      async *list(call) {
        const client = call.client as { list(path: string, options: object, paging: object): AsyncIterable<never> }
        yield* client.list('/agents', call, { next: () => undefined, limit: 100 })
      },
    })),
  },
  'overload is called invalid': {
    stage: byStatus,
    says: /429 with .* is invalid, not retry/,
    seed: classifying((right, status) => (status === 429 ? 'invalid' : right.class)),
  },
  'the overload of the service itself is called invalid': {
    stage: 'what the service itself answers when it is overloaded',
    says: /try again later/,
    seed: classifying(({ code, class: right }) => (code === 'overloaded' ? 'invalid' : right)),
  },
  'a failure of the service is called gone': {
    stage: byStatus,
    says: /500 with .* is gone, not retry/,
    seed: classifying((right, status) => (status === 500 ? 'gone' : right.class)),
  },
  'a failure of the service is called invalid': {
    stage: byStatus,
    says: /500 with .* is invalid, not retry/,
    seed: classifying((right, status) => (status === 500 ? 'invalid' : right.class)),
  },
  'what is not found is called invalid': {
    stage: 'what was removed is gone',
    says: /agent\.read of agent_\S+: 404 is called invalid: look at classify/,
    seed: classifying((right, status) => (status === 404 ? 'invalid' : right.class)),
  },
  'a reference is sent without a dependency': {
    stage: firstApply,
    says: /acme\.agent\.\w+: failed, .*there is no environment workshop/,
    seed: inHandler('agent', ({ desired }) => ({
      desired: (declaration, scope) => ({
        ...desired(declaration, scope),
        environment_id: String(declaration.body['environment']),
      }),
    })),
  },
  'a lost create is repeated where names are unique': {
    stage: diesAtFirst,
    says: /acme\.environment\.workshop: failed, .*name/,
    seed: everywhere(
      inHandler('environment', () => ({
        create: (call, { desired }) => clientOf(call).create('/environments', desired, call),
        lostCreate: { by: 'repeat' },
      })),
    ),
  },
  'a lost create is repeated by a key that the service ignores': {
    stage: diesAtFirst,
    says: /every object has its row:\s+agent .*look at create, lostCreate/,
    seed: everywhere(inHandler('agent', () => ({ lostCreate: { by: 'key' } }))),
  },
  'the time of creation is in seconds': {
    stage: 'the time of creation is known',
    says: /vault\.createdAtMs: \d{10} is not when vault_\S+ was created/,
    seed: inHandler('vault', () => ({
      createdAtMs: ({ created_at_ms }) => Math.floor(Number(created_at_ms) / 1000),
    })),
  },
  'an update leaves a member out': {
    stage: 'after descriptions changed',
    says: /acme\.agent\.reviewer: .*Not applied by the provider: instructions.*look at what agent\.update sends/s,
    seed: forgetsTo('agent', 'system'),
  },
  'a create leaves the name out': {
    stage: firstApply,
    says: /acme\.agent\.\w+: .*Not applied by the provider: name.*look at what agent\.create sends/s,
    seed: inHandler('agent', ({ create }) => ({
      create: (call, request) => create(call, { ...request, desired: { ...request.desired, name: 'agent' } }),
    })),
  },
  'a replacement is created first although names are unique': {
    stage: 'after the environment became another one',
    says: /name-taken: .*look at environment\.lostCreate, .* at environment\.replace and environment\.makeWay/,
    seed: inHandler('environment', () => ({ makeWay: undefined as never })),
  },
  'a create takes over what has the name already': {
    stage: 'two projects in one account',
    says: /takes nothing over:\s+acme\.environment\.workshop is environment_\S+ in both: look at environment\.create/,
    seed: inHandler('environment', (handler) => ({
      create: async (call, request) => {
        try {
          return await handler.create(call, request)
        } catch (error) {
          const found = (await everyRow(handler, call)).find(({ name }) => name === request.desired['name'])
          if (!found || !isFailure(error, 'nameTaken')) throw error
          return found
        }
      },
    })),
  },
  'a scalar that is cleared stays': {
    stage: removedOptions,
    says: /acme\.environment\.workshop: .*Not applied by the provider: description.*environment\.update/s,
    seed: forgetsTo('environment', 'description'),
  },
  'a list that is cleared stays': {
    stage: removedOptions,
    says: /acme\.agent\.reviewer: .*Not applied by the provider: tools.*agent\.update/s,
    seed: forgetsTo('agent', 'tools'),
  },
  'a secret map that is cleared stays': {
    stage: 'what is not wanted any more and cannot be read back',
    says: /no request says that metadata\S* of acme\.environment\.workshop goes: look at environment\.update/,
    seed: (example) =>
      inHandler('environment', ({ fields, observed }) => ({
        fields: { ...fields, metadata: { secret: true, writeOnly: true, map: 'replace' } },
        observed: (remote) => ({ ...observed(remote), metadata: undefined }),
      }))(forgetsTo('environment', 'metadata')(example)),
  },
  'an update leaves the new content out': {
    stage: 'after the content of a skill changed',
    says: /acme\.skill\.review: .*Not applied by the provider: source.*look at what skill\.update sends/s,
    seed: forgetsTo('skill', 'sha256'),
  },
  'the emulator is ignored': {
    stage: 'with an emulator',
    says: /connect heeds emulatorUrl/,
    seed: inProvider(({ connect }) => ({
      connect: (configuration, { emulatorUrl: _, ...environment }) => connect(configuration, environment),
    })),
  },
  'the time of the last change is observed': {
    stage: drift,
    says: /`observed` leaves out what a service counts or dates:\s+acme\.environment\.workshop: updated_at_ms/,
    seed: inHandler('environment', ({ observed }) => ({
      observed: (remote) => ({ ...observed(remote), updated_at_ms: remote['updated_at_ms'] }),
    })),
  },
  'a revision is observed': {
    stage: drift,
    says: /`observed` leaves out what a service counts or dates:\s+acme\.agent\.reviewer: version/,
    seed: inHandler('agent', ({ observed }) => ({
      observed: (remote) => ({ ...observed(remote), version: remote['version'] }),
    })),
  },
  'an object in use is called invalid': {
    stage: refusals,
    says: /classify calls 409 in_use .* invalid; remove of acme\.\S+ says that it is inUse/,
    seed: classifying(({ code, class: right }) => (code === 'in_use' ? 'invalid' : right)),
  },
  'a taken name is called stale': {
    stage: refusals,
    says: /classify calls 409 name_taken .* stale; create of acme\.\S+ says that it is nameTaken/,
    seed: classifying(({ code, class: right }) => (code === 'name_taken' ? 'stale' : right)),
  },
  'every conflict is called temporary': {
    stage: refusals,
    says: /classify calls 409 \w+ .* retry; \w+ of acme\.\S+ says that it is \w+/,
    seed: classifying((right, status) => (status === 409 ? 'retry' : right.class)),
  },
  'an update drops what others set in a member': {
    stage: survival,
    says: /agent\.update erases what stands in metadata: send it back \(keepUndeclared\)/,
    seed: inHandler('agent', ({ fields }) => ({
      fields: { ...fields, metadata: { owner: 'declared' } },
      update: (call, { id, desired, remote }) => {
        const { name: _, ...members } = desired
        const body = { ...members, if_version: remote['version'] }
        return clientOf(call).update(`/agents/${id}`, body, { ...call, method: 'PATCH' })
      },
    })),
  },
  'a secret that is answered is no secret in fields': {
    stage: 'leaves for the secrets of a kind',
    says: /vault\.parts\.fields\['token'\] lacks `secret: true`: it holds \$\{ISSUES_TOKEN\}/,
    seed: (example) => {
      const tokens = new Map<string, string>()
      return inParts(({ create, observed }) => ({
        fields: { url: { immutable: true } },
        create: async (call, parent, part) => {
          const made = await create(call, parent, part)
          tokens.set(String(made['id']), String(part.desired['token']))
          return made
        },
        observed: (remote) => ({ ...observed(remote), token: tokens.get(String(remote['id'])) }),
      }))(example)
    },
  },
  'the key shows in the identity': {
    stage: '`identify` shows no secret',
    says: /people see what `identify` answers.*:\s+ACME_API_KEY/,
    seed: inProvider(({ identify }) => ({
      identify: (configuration) => ({ ...identify(configuration), account: String(configuration['api_key']) }),
    })),
  },
  'a secret is no secret in fields': {
    stage: 'leaves for the secrets of a kind',
    says: /vault\.parts\.fields\['token'\] lacks `secret: true`: it holds \$\{ISSUES_TOKEN\}/,
    seed: inParts(({ fields }) => ({ fields: { ...fields, token: { writeOnly: true } } })),
  },
  'a set is compared as a list': {
    stage: 'lists of values keep the order',
    says: /agent\.fields\['tools'\]: \["read","grep"\] is answered as \["grep","read"\]/,
    seed: inHandler('agent', ({ fields }) => ({ fields: { ...fields, tools: { clear: [] } } })),
  },
  'the time of creation is not given': {
    stage: 'the time of creation is known',
    says: /vault\.createdAtMs: older objects are taken for ours; created_at_ms is the time/,
    seed: inHandler('vault', () => ({ createdAtMs: () => undefined })),
  },
  'a list that leaves members out is called complete': {
    stage: 'lists show every object',
    says: /agent\.listIsComplete: the list shows another system than a read/,
    seed: inHandler('agent', ({ list }) => ({
      async *list(call) {
        for await (const { system: _, ...row } of list?.(call) ?? []) yield row
      },
    })),
  },
  'an object is created in two steps': {
    stage: 'one write makes an object',
    says: /agent\.create: POST \/acme\/v1\/agents, then PATCH \/acme\/v1\/agents\/…/,
    seed: inHandler('agent', ({ create }) => ({
      create: async (call, request) => {
        const { description, ...desired } = request.desired
        const made = await create(call, { ...request, desired })
        const body = { description: description ?? '', if_version: made['version'] }
        return clientOf(call).update(`/agents/${made['id']}`, body, { ...call, method: 'PATCH' })
      },
    })),
  },
  'a request cannot be given up': {
    stage: 'every request can be given up',
    says: /every request is sent with `call\.signal`:\s+agent\.update: PATCH \/acme\/v1\/agents\/…/,
    seed: inHandler('agent', ({ update }) => ({
      update: async (call, request) =>
        update?.({ ...call, signal: new AbortController().signal }, request) ?? request.remote,
    })),
  },
  'a lost create is repeated although it could be found': {
    stage: 'looked for where there is a way to find it',
    says: /agent\.lostCreate: 'repeat' leaves copies, \{ by: 'mark' \} finds it/,
    seed: inHandler('agent', () => ({ lostCreate: { by: 'repeat' } })),
  },
  'no edit changes what cannot be changed in place': {
    stage: 'one edit replaces an object',
    says: /the edits of the subject lack:\s+one that changes what cannot be changed in place$/,
    seed: ({ edits: { 'the environment became another one': _, ...edits }, ...example }) => ({ ...example, edits }),
  },
  'no edit renames a resource': {
    stage: 'and one renames a resource',
    says: /the edits of the subject lack:\s+one that renames a resource$/,
    seed: ({ edits: { 'an agent was renamed': _, ...edits }, ...example }) => ({ ...example, edits }),
  },
}
