// Two projects, team-a and team-b, in two folders and one account of a provider, and objects with any mark.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { isObject } from '../../core/value/tree.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const heads = {
  bailian: 'bailian: { api_key: "${KEY}", workspace_id: w }',
  qoder: 'qoder: { api_key: "${KEY}" }',
  claude: 'claude: { api_key: "${KEY}" }',
  ark: 'ark: { api_key: "${KEY}" }',
} as const
export type ProviderName = keyof typeof heads
export const providers = Object.keys(heads) as readonly ProviderName[]

/** Mark on the object: of the project that runs the command, of the other one, or none. */
export const marks = { own: 'team-b', foreign: 'team-a', none: undefined } as const
export type MarkName = keyof typeof marks

export const declared = 'environments: { box: { description: As declared, config: { type: cloud } } }\n'

export async function twoProjects(t: Test, provider: ProviderName) {
  const emulator = await emulate(t)
  const folders = { 'team-a': scratchFolder(t, 'a'), 'team-b': scratchFolder(t, 'b') } as const
  type Team = keyof typeof folders
  const fileOf = (team: Team) => join(folders[team], 'agents.yaml')
  const run = (team: Team, ...words: readonly string[]) =>
    agentsHere(words, { folder: folders[team], env: emulator.env })
  return {
    run,
    write: (team: Team, body: string) =>
      writeFileSync(fileOf(team), `version: "1"\nproject: ${team}\nproviders: { ${heads[provider]} }\n${body}`),
    writeSkill(team: Team) {
      mkdirSync(join(folders[team], 'tone'))
      writeFileSync(join(folders[team], 'tone/SKILL.md'), '---\nname: tone\ndescription: How\n---\nBe kind.\n')
    },
    path: (team: Team, name: string) => join(folders[team], name),
    idsIn: (team: Team): readonly unknown[] => {
      const state = join(folders[team], 'agents.state.json')
      if (!existsSync(state)) return []
      const { rows } = JSON.parse(readFileSync(state, 'utf8'))
      return Object.values<{ readonly id: unknown }>(rows).map(({ id }) => id)
    },
    /** Makes the object as another program would. */
    seed: async (id: string) => {
      await emulator.seed({ provider, kind: 'environment', id })
      await emulator.patch(id, { name: 'box', description: 'As declared', config: { type: 'cloud' } })
    },
    /** Writes the mark as another program would. */
    mark: (id: string, name: MarkName) => {
      const project = marks[name]
      const metadata = { 'agents.project': project ?? null, 'agents.resource': project === undefined ? null : 'box' }
      return emulator.patch(id, { metadata })
    },
    /** Body of the object; undefined if it is gone or archived. */
    body: async (id: string): Promise<string | undefined> => {
      const response = await fetch(`${emulator.url}/_emulator/objects/${id}`)
      const body: unknown = await response.json()
      return response.ok && isObject(body) && !body['archived_at'] ? JSON.stringify(body) : undefined
    },
  }
}
export type Scene = Awaited<ReturnType<typeof twoProjects>>

export async function created(t: Test, scene: Scene, team: 'team-a' | 'team-b'): Promise<string> {
  scene.write(team, declared)
  const { code, stderr } = await scene.run(team, 'apply', '--yes')
  t.equal(code, 0, stderr)
  return String(scene.idsIn(team)[0])
}
