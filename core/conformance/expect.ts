// Expectations after a run: all changes are done, the next plan is empty, and state equals the objects at the service.
import assert from 'node:assert/strict'
import type { Outcome, Plan } from '../plan/plan.js'
import { parseAddress } from '../value/address.js'
import { expectParts } from './expect-parts.js'
import { expectNone } from './findings.js'
import { missingAmong } from './missing.js'
import type { RemoteObject, Version } from './subject.js'
import { effectiveChanges, type ProjectDisk, providersOf, type Run, reportOf, type World } from './world.js'

export interface Tolerance {
  /** True if unreferenced copies may remain, of kinds whose lost creates are simply repeated. */
  readonly allowsCopies?: boolean
  /** True if objects were replaced or removed before and some kinds cannot be removed. */
  readonly allowsPermanent?: boolean
}

/** Rejects unless everything is as declared and one more plan finds nothing to do. */
export async function expectSettled(
  world: World<ProjectDisk>,
  version: Version,
  tolerance: Tolerance = {},
): Promise<void> {
  expectEmpty(await world.plan({ version }))
  await expectKnown(world, version, tolerance)
}

export function expectDone({ outcomes, unrecorded }: Run): void {
  const others = outcomes.filter(({ status }) => status !== 'done')
  const lines = others.map((outcome) => {
    const { address, status, diagnostics } = outcome
    return `${address}: ${status}, ${[reportOf(diagnostics), ...hintsFor(outcome)].join('; ')}`
  })
  expectNone(lines, 'every change is done')
  assert.equal(reportOf(unrecorded), '', 'every change is recorded')
}

/** Returns hints at the members of the handler to check. */
function hintsFor({ address, action, diagnostics }: Outcome): readonly string[] {
  const { kind } = parseAddress(address)
  const member = action === 'update' ? 'update' : 'create'
  const hints: Readonly<Record<string, string>> = {
    'apply.not-taken': `look at what ${kind}.${member} sends and what ${kind}.fields says of it (clear, unordered, writeOnly)`,
    'provider.name-taken': `look at ${kind}.lostCreate, and where names are unique at ${kind}.replace and ${kind}.makeWay`,
  }
  return diagnostics.flatMap(({ code }) => hints[code] ?? [])
}

export function expectEmpty(plan: Plan, rule = 'nothing is left to do'): void {
  expectNone(effectiveChanges(plan), rule)
}

/** Rejects unless state and service agree: one object for each row, one row for each object, inner objects likewise. */
export async function expectKnown(
  world: World<ProjectDisk>,
  version: Version,
  tolerance: Tolerance = {},
): Promise<void> {
  const rows = await world.rows(version)
  const owned = [...rows].filter(([, { id, ownership }]) => id !== null && ownership !== 'external')
  for (const [address, { operation, deposed }] of rows) {
    assert.equal(operation, undefined, `${address} has no open work`)
    assert.equal(deposed, undefined, `${address} has nothing left to remove`)
  }
  const known = new Map(owned.map(([address, { id }]) => [id ?? '', address]))
  assert.equal(known.size, owned.length, 'no object belongs to two rows')
  const present = await liveObjects(world)
  const presentIds = new Set(present.map(({ id }) => id))
  const engine = await world.engine(version, world.begin())
  const unlisted = owned.filter(([, { id }]) => !presentIds.has(id ?? ''))
  const absent = await missingAmong(engine, unlisted, new Set((await world.service.objects()).map(({ kind }) => kind)))
  expectNone(absent, 'every row has its object')
  const unexpected = present.filter((object) => !known.has(object.id) && !isTolerated(world, object, tolerance))
  const lines = unexpected.map((object) => `${nameOf(object)}: look at create, lostCreate and list of ${object.kind}`)
  expectNone(lines, 'every object has its row')
  await expectParts(engine, rows)
}

/** Rejects if any removable object of the project is left, or if state is not empty. */
export async function expectNothingLeft(
  world: World<ProjectDisk>,
  version: Version,
  tolerance: Tolerance = {},
): Promise<void> {
  assert.deepEqual([...(await world.rows(version)).keys()], [], 'state holds nothing')
  const left = await liveObjects(world)
  const removable = left.filter((object) => !isTolerated(world, object, { ...tolerance, allowsPermanent: true }))
  const lines = removable.map((object) => `${nameOf(object)}: look at ${object.kind}.remove`)
  expectNone(lines, 'nothing is left that can be removed')
}

/** Returns the objects that are in use or can be used. */
export async function liveObjects({ service }: World<ProjectDisk>): Promise<readonly RemoteObject[]> {
  return (await service.objects()).filter(({ archived, seeded }) => !archived && !seeded)
}

function isTolerated({ subject }: World<ProjectDisk>, object: RemoteObject, tolerance: Tolerance): boolean {
  if (object.permanent && tolerance.allowsPermanent) return true
  const makers = providersOf(subject).filter(({ name }) => name === (object.provider ?? name))
  const isRepeated = makers.some(({ handlers }) =>
    handlers.some(
      ({ kind, lostCreate }) => kind === object.kind && lostCreate.by === 'repeat' && !lostCreate.isIdempotent,
    ),
  )
  return isRepeated && tolerance.allowsCopies === true
}

function nameOf({ kind, name, id }: RemoteObject): string {
  return `${kind} ${name ?? ''} ${id}`
}
