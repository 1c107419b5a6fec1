// Settings of the provider that agents.yaml cannot express survive every update, or the plan names their loss.
import assert from 'node:assert/strict'
import { fieldAt, isShared } from '../../plugin/fields.js'
import type { FieldTable, PartUpdate, Remote } from '../../plugin/handler.js'
import { keepUndeclared, type Written } from '../../plugin/undeclared.js'
import { isObject, type Json, type LeafPath, leafKeys, leafPath, leavesOf, type Tree } from '../../value/tree.js'
import { expectDone } from '../expect.js'
import { expectNone } from '../findings.js'
import { type HandledObject, labelOf, objectsOf } from '../handled-objects.js'
import { LaterService, laterMembers, withoutLater } from '../later-service.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'

export function survivalStages({ project }: Subject): readonly Stage[] {
  return [
    stage('what agents.yaml cannot express survives an update, or the plan names its loss', async (world) => {
      expectDone(await world.apply({ version: project }))
      const later = new LaterService()
      const found = await objectsOf(world, project, later.http)
      assert(found.length > 0, 'the project has objects')
      const lost: string[] = []
      for (const object of found) for (const update of updatesOf(object)) lost.push(...(await lostBy(update, later)))
      expectNone([...new Set(lost)], 'members that no handler knows are sent back, or the plan names them')
    }),
  ]
}

type Request = Pick<PartUpdate, 'desired' | 'observed' | 'remote' | 'changes'>

/** One way to update: the object itself, or one of its parts. */
interface Update {
  /** Member of the handler, `agent.update`. */
  readonly member: string
  readonly written: Written
  readonly remote: Remote
  observed(remote: Remote): Tree
  send(request: Request): Promise<unknown>
}

function updatesOf({ handler, call, found, id }: HandledObject): readonly Update[] {
  const { parts } = handler
  const own: Update = {
    member: `${labelOf(handler)}.update`,
    written: handler,
    remote: found.remote,
    observed: (remote) => handler.observed(remote),
    send: async (request) => handler.update?.(call, { ...request, id, sources: new Map() }),
  }
  const inner = [...found.parts].map(
    ([key, part]): Update => ({
      member: `${labelOf(handler)}.parts.update`,
      written: parts ?? handler,
      remote: part.remote,
      observed: (remote) => parts?.observed(remote) ?? {},
      send: async (request) => parts?.update?.(call, id, { ...request, key, id: part.id }),
    }),
  )
  return [...(handler.update ? [own] : []), ...(parts?.update ? inner : [])]
}

/**
 * Changes every leaf in one update, and returns the members of the later service that the request replaces without
 * having them, unless the plan names them.
 */
async function lostBy({ member, written, remote, observed: read, send }: Update, later: LaterService) {
  const observed = read(remote)
  const present = read(withoutLater(remote))
  const desired = changed(present, written.fields)
  const [before, after] = [leavesOf(observed), leavesOf(desired)]
  if (after.size === 0) return []
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((path) => ({
    path,
    before: before.get(path),
    after: after.get(path),
  }))
  const request = { desired, observed, remote, changes }
  const bodies = await later.capture(withoutLater(remote), () => send(request))
  const sent = bodies.join('\n')
  const named = JSON.stringify([keepUndeclared(written, request).lost, shownLeaves(written.fields, observed, present)])
  const ofObject = written.replacesAllBut ? laterMembers(remote, []).filter(({ path }) => path.length === 0) : []
  const ofMembers = Object.keys(remote)
    .filter((name) => isReplaced(written.fields, name) && sent.includes(`${JSON.stringify(name)}:`))
    .flatMap((name) => laterMembers(remote[name], [name]))
  return [...ofObject, ...ofMembers]
    .filter(({ name, path }) => !isOfServer(written, path) && !sent.includes(`"${name}"`) && !named.includes(name))
    .map(
      ({ path }) => `${member} erases what stands in ${path.join('.') || 'the object'}: send it back (keepUndeclared)`,
    )
}

function isReplaced(fields: FieldTable, member: string): boolean {
  return (fieldAt(fields, member).map ?? 'replace') === 'replace'
}

/** True for members that the service keeps or makes by itself. Elements of lists are looked at one by one. */
function isOfServer({ added = [] }: Written, path: readonly string[]): boolean {
  return added.some((pattern) => {
    const keys = pattern.split('/')
    const isElement = keys.at(-1) === '*' && path[keys.length - 1] === '*'
    return !isElement && keys.every((key, index) => key === '*' || key === path[index])
  })
}

/** Returns the leaves that the plan shows because of the added members. */
function shownLeaves(fields: FieldTable, observed: Tree, present: Tree): readonly Json[] {
  const before = leavesOf(present)
  return [...leavesOf(observed)].flatMap(([path, value]) => {
    // A leaf that the declaration has is compared, whoever owns the others beside it.
    const isCompared = before.has(path) || !isShared(fieldAt(fields, path))
    const isShown = isCompared && JSON.stringify(value) !== JSON.stringify(before.get(path))
    return isShown ? [[path, value]] : []
  })
}

/** Returns the tree with another text in every leaf that may have one. */
function changed(tree: Tree, fields: FieldTable, within: readonly string[] = []): Tree {
  const entries = Object.entries(tree).map(([key, value]) => {
    const path = [...within, key]
    if (isObject(value)) return [key, changed(value, fields, path)]
    return [key, typeof value === 'string' && mayChange(fields, leafPath(path)) ? `${value} changed` : value]
  })
  return Object.fromEntries(entries)
}

/** False for identities, and for types, which decide what other members mean. */
function mayChange(fields: FieldTable, path: LeafPath): boolean {
  return !fieldAt(fields, path).immutable && leafKeys(path).at(-1) !== 'type'
}
