// Phases in the life of a project, in which a single response to one call is replaced.
import assert from 'node:assert/strict'
import { parse, stringify } from 'yaml'
import {
  expectDone,
  expectEmpty,
  expectNothingLeft,
  expectSettled,
  type Tolerance,
} from '../../core/conformance/expect.js'
import type { Fate, HttpCall } from '../../core/conformance/life.js'
import type { Version } from '../../core/conformance/subject.js'
import { type Run, reportOf, type World } from '../../core/conformance/world.js'
import { Problem } from '../../core/diagnostic.js'
import type { SourceFolder } from '../../core/sync/source-folders.js'
import { synced } from '../support/round-trip.js'

export type FateOf = (call: HttpCall) => Fate

export interface Phase {
  readonly name: string
  /** Prepares the world for the phase. */
  prepare(world: World): Promise<void>
  /** Reported problem; undefined where the phase reported success. */
  run(world: World, fate: FateOf): Promise<string | undefined>
  /** Checks the world if the phase reported success. */
  expectTruth(world: World): Promise<void>
  /** Runs the phase again, without a replaced response. */
  expectNext(world: World): Promise<void>
}

/**
 * Phases of a whole life: plan, first apply, plan, each change, refresh by a sync, import by somebody else, destroy.
 */
export function phasesOf(project: Version, edits: Readonly<Record<string, Version>>): readonly Phase[] {
  const { version: format, providers } = parse(project.text)
  const nothing = async () => {}
  const made = async (world: World) => expectDone(await world.apply({ version: project }))
  const wentOn = { allowsPermanent: true }
  return [
    writing('a first apply', { prepare: nothing, version: project }),
    {
      name: 'a plan',
      prepare: made,
      run: async (world, fate) =>
        reportBy(async () => {
          expectEmpty(await world.plan({ version: project, fate }))
          return undefined
        }),
      expectTruth: nothing,
      expectNext: (world) => expectSettled(world, project),
    },
    ...Object.entries(edits).map(([what, version]) =>
      writing(`an apply after ${what}`, { prepare: made, version, tolerance: wentOn }),
    ),
    reading('a sync', project, false, made),
    reading('a sync by somebody who has no file', { text: stringify({ version: format, providers }) }, true, made),
    {
      name: 'a destroy',
      prepare: made,
      run: (world, fate) =>
        reportBy(async () => failuresIn(await world.apply({ version: project, mode: 'destroy', fate }))),
      expectTruth: (world) => expectNothingLeft(world, project),
      expectNext: async (world) => {
        expectDone(await world.apply({ version: project, mode: 'destroy' }))
        await expectNothingLeft(world, project)
      },
    },
  ]
}

function writing(
  name: string,
  {
    prepare,
    version,
    tolerance = {},
  }: { readonly prepare: Phase['prepare']; readonly version: Version; readonly tolerance?: Tolerance },
): Phase {
  return {
    name,
    prepare,
    run: (world, fate) => reportBy(async () => failuresIn(await world.apply({ version, fate }))),
    expectTruth: (world) => expectSettled(world, version, tolerance),
    async expectNext(world) {
      await expectIds(world, version)
      expectDone(await world.apply({ version }))
      await expectSettled(world, version, tolerance)
    },
  }
}

/** Checks that sync writes the usual file or none. */
function reading(name: string, version: Version, isStranger: boolean, prepare: Phase['prepare']): Phase {
  const found = async (world: World, fate?: FateOf) => {
    const reader = isStranger ? world.ofOtherUser() : world
    const { text, imports, folders, files, leftOut } = await synced(reader, version, fate ? { fate } : {})
    const bound = imports.map(({ address, id }) => `${address} ${id}`).sort()
    const omitted = leftOut.map(({ object, ...rest }) => ({ ...rest, id: object.object.id }))
    return { text, bound, folders: folders.map(textsOf), files, omitted }
  }
  return {
    name,
    prepare,
    run: (world, fate) =>
      reportBy(async () => {
        assert.deepEqual(await found(world, fate), await found(world), 'the written file equals the account')
        return undefined
      }),
    expectTruth: async () => {},
    expectNext: async (world) => void (await found(world)),
  }
}

const textsOf = ({ path, files }: SourceFolder) => ({
  path,
  files: files.map((file) => [file.path, Buffer.from(file.bytes).toString()]),
})

function failuresIn({ outcomes }: Run): string | undefined {
  const others = outcomes.filter(({ status }) => status !== 'done')
  return others.length === 0 ? undefined : others.map(({ diagnostics }) => reportOf(diagnostics)).join('\n')
}

async function reportBy(work: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) return reportOf(error.diagnostics)
    throw error
  }
}

/** Checks that every id in state is the id of an object that the service created. */
async function expectIds(world: World, version: Version): Promise<void> {
  const rows = [...(await world.rows(version))].filter(([, { ownership }]) => ownership !== 'external')
  const strange = rows.filter(([, { id }]) => id !== null && noIds.has(id))
  assert.deepEqual(
    strange.map(([address]) => address),
    [],
    'every recorded id was issued by the service',
  )
}

const noIds: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'obj_1'])
