// Compares statements of handlers with the behaviour of the service: lists, times, order, lost creates.
import { fieldOf } from '../../plan/hasher.js'
import { KnownOutputs } from '../../plan/outputs.js'
import { resolveLeaf } from '../../plan/values.js'
import type { Handler, Remote } from '../../plugin/handler.js'
import type { Http } from '../../ports/http.js'
import { nodeHttp } from '../../ports/node-http.js'
import { canonical, type Json, leavesOf } from '../../value/tree.js'
import { expectDone } from '../expect.js'
import { expectNone } from '../findings.js'
import { type HandledObject, labelOf, objectsOf } from '../handled-objects.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'
import type { World } from '../world.js'

export function statementStages({ project: version, provider }: Subject): readonly Stage[] {
  return [
    stage('a create that got lost is looked for where there is a way to find it', async () => {
      const blind = provider.handlers.filter(
        ({ lostCreate, mark, list }) => lostCreate.by === 'repeat' && !lostCreate.isIdempotent && mark && list,
      )
      const lines = blind.map((one) => `${labelOf(one)}.lostCreate: 'repeat' leaves copies, { by: 'mark' } finds it`)
      expectNone(lines, 'what is listed with a mark can be found again')
    }),

    stage('a part with a secret goes with its declaration', async (world) => {
      const { changes } = await world.plan({ version })
      const left = changes.flatMap(({ resource }) => {
        const { parts } = resource?.handler ?? {}
        if (!resource || !parts || !Object.values(parts.fields).some(({ secret }) => secret)) return []
        const policy = parts.policy(resource.declaration)
        const label = `${labelOf(resource.handler)}.parts.policy`
        return policy === 'own' ? [] : [`${label}: '${policy}' leaves secrets that nobody declares any more: 'own'`]
      })
      expectNone([...new Set(left)], 'parts whose `fields` have a secret are removed with their declaration')
    }),

    stage('lists show every object, and as a read does where they are complete', async (world) => {
      expectDone(await world.apply({ version }))
      const wrong: string[] = []
      for (const current of await objectsOf(world, version, inSmallPages)) wrong.push(...(await wronglyListed(current)))
      expectNone(wrong, '`list` and `listIsComplete` are right')
    }),

    stage('the time of creation is known where lost creates are looked for', async (world) => {
      expectDone(await world.apply({ version }))
      const wrong = (await objectsOf(world, version)).flatMap(({ handler, found }) => wrongTimes(handler, found.remote))
      expectNone([...new Set(wrong)], '`createdAtMs` answers milliseconds since 1970')
    }),

    stage('lists of values keep the order in which they were sent, or are said to have none', async (world) => {
      await world.apply({ version })
      expectNone(await reordered(world), 'what has no order is `unordered` in `fields`')
    }),
  ]
}

const pageSize = /^(limit|size|count|max_?results|(per_?)?page_?(size|limit)?|per_?page)$/i

/** Requests one row per page if the client chooses the page size, so that a few objects fill many pages. */
const inSmallPages: Http = async (request) => {
  const url = new URL(request.url)
  const sizes = [...url.searchParams].filter(([name, value]) => pageSize.test(name) && Number(value) > 1)
  if (request.method !== 'GET' || sizes.length === 0) return nodeHttp(request)
  for (const [name] of sizes) url.searchParams.set(name, '1')
  const response = await nodeHttp({ ...request, url: url.href })
  return response.status < 400 ? response : nodeHttp(request) // A service may have a minimum page size.
}

async function wronglyListed({ address, id, handler, call, found }: HandledObject): Promise<readonly string[]> {
  if (!handler.list) return []
  for await (const remote of handler.list(call)) {
    if (handler.outputs(remote).id !== id) continue
    if (!handler.listIsComplete) return []
    const listed = leavesOf(handler.observed(remote))
    const read = leavesOf(found.observed)
    const paths = [...new Set([...listed.keys(), ...read.keys()])]
    const other = paths.filter((path) => canonical(listed.get(path) ?? null) !== canonical(read.get(path) ?? null))
    return other.map((path) => `${labelOf(handler)}.listIsComplete: the list shows another ${path} than a read`)
  }
  return [`${labelOf(handler)}.list: ${address} (${id}) is not in it; does it go on to the last page?`]
}

const dayMs = 24 * 60 * 60 * 1000
const searches: ReadonlySet<string> = new Set(['mark', 'match', 'content'])

/** Checks the creation times of objects that were created just now. */
function wrongTimes(handler: Handler, remote: Remote): readonly string[] {
  if (!searches.has(handler.lostCreate.by)) return []
  const label = `${labelOf(handler)}.createdAtMs`
  const written = handler.createdAtMs?.(remote)
  if (written !== undefined) {
    if (Math.abs(written - Date.now()) < dayMs) return []
    return [`${label}: ${written} is not when ${handler.outputs(remote).id} was created, which is now, ${Date.now()}`]
  }
  const member = Object.keys(remote).find((name) => /creat/i.test(name) && isAboutNow(remote[name]))
  return member === undefined ? [] : [`${label}: older objects are taken for ours; ${member} is the time`]
}

function isAboutNow(value: Json | undefined): boolean {
  const times = typeof value === 'number' ? [value, value * 1000] : [Date.parse(String(value))]
  return times.some((time) => Math.abs(time - Date.now()) < dayMs)
}

/** Returns the leaves that come back with the same values in another order. */
async function reordered(world: World): Promise<readonly string[]> {
  const { project: version } = world.subject
  const rows = await world.rows(version)
  const { changes } = await world.plan({ version })
  const { project } = await world.engine(version, world.begin())
  const values = new KnownOutputs(project.variables, rows)
  return (await objectsOf(world, version)).flatMap(({ address, handler, found }) => {
    const wanted = leavesOf(changes.find((change) => change.address === address)?.resource?.desired ?? {})
    const observed = leavesOf(found.observed)
    return [...wanted].flatMap(([path, placeholders]) => {
      const value = resolveLeaf(placeholders, values)
      const shown = observed.get(path)
      if (value.type !== 'known' || fieldOf(handler, path).unordered || !isReordered(value.value, shown)) return []
      return [
        `${labelOf(handler)}.fields['${path}']: ${canonical(value.value)} is answered as ${canonical(shown ?? null)}`,
      ]
    })
  })
}

function isReordered(wanted: Json, shown: Json | undefined): boolean {
  if (!Array.isArray(wanted) || !Array.isArray(shown) || canonical(wanted) === canonical(shown)) return false
  const sorted = (items: readonly Json[]) => items.map(canonical).sort().join()
  return sorted(wanted) === sorted(shown)
}
