// Runs all commands on a project with secrets in its fields, and checks everything they print or write.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../../core/value/tree.js'
import type { Lane } from '../../../plugins/kinds/lanes.js'
import { emulate, type TestEmulator } from '../emulator.js'
import { agentsHere, type RunHere } from '../in-process.js'
import { records, scratchFolder } from '../scratch.js'
import { isExternalId, type Plant, projectText, writeSources } from './planted.js'
import type { ValueForm } from './values.js'

/** Sources, some of which have a value for a name. */
const sources: ReadonlySet<string> = new Set(['have', 'in', 'sample', 'sample.md'])

export class Life {
  /** Field -> output in which its value was seen first. */
  readonly leaks = new Map<string, string>()
  readonly #byNumber: ReadonlyMap<number, Plant>
  #env: Readonly<Record<string, string>>
  /** Ids of existing objects: state records them, but not the variable they came from. */
  #mayShowIds = false

  private constructor(
    private readonly lane: Lane,
    private readonly values: ValueForm,
    readonly folder: string,
    readonly emulator: TestEmulator,
    plants: readonly Plant[],
  ) {
    this.#byNumber = new Map(plants.map((plant) => [plant.number, plant]))
    this.#env = this.#environment(({ number }) => values.value(number))
  }

  static async begin(
    t: Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0],
    { lane, values, plants }: { readonly lane: Lane; readonly values: ValueForm; readonly plants: readonly Plant[] },
  ): Promise<Life> {
    const folder = scratchFolder(t)
    writeSources(
      folder,
      plants.map((plant) => [plant, values.value(plant.number)]),
    )
    return new Life(lane, values, folder, await emulate(t), plants)
  }

  /** Files that are named by a variable stay where they are. */
  rotate(): void {
    this.#env = this.#environment(({ number, isPath }) => this.values[isPath ? 'value' : 'rotated'](number))
  }

  async run(...words: readonly string[]): Promise<RunHere> {
    const run = await agentsHere(words, { folder: this.folder, env: this.#env })
    const command = words.join(' ')
    // State records only the id of an existing object, and these commands read nothing else.
    const isOfState = this.#mayShowIds || words[0] === 'state' || (words[0] === 'plan' && words[1] === 'show')
    this.#look(`${command}, stdout`, run.stdout, isOfState)
    this.#look(`${command}, stderr`, run.stderr, isOfState)
    this.lookIntoFolder(command)
    return run
  }

  lookIntoFolder(when: string): void {
    for (const name of readdirSync(this.folder))
      if (!sources.has(name)) this.#look(`${name} after ${when}`, readFileSync(join(this.folder, name), 'utf8'), true)
  }

  /** Returns the first accepted text of each place, validated and planned. */
  async settle(places: readonly (readonly Plant[])[]): Promise<readonly Plant[]> {
    const taken: Plant[] = []
    for (let round = 0, open = places; open.length > 0; round++) {
      const tried = await this.#accepted(
        open.flatMap((texts) => texts[round] ?? []),
        'validate',
      )
      taken.push(...tried)
      const found = new Set(tried)
      open = open.filter((texts) => texts.length > round + 1 && !texts.some((plant) => found.has(plant)))
    }
    return this.#accepted(taken, 'plan')
  }

  /** Unsets the variables. */
  forget(): void {
    this.#mayShowIds = true
    this.#env = { STEWARD_EMULATOR: this.emulator.url }
  }

  removeSavedPlan(): void {
    rmSync(join(this.folder, 'saved.json'), { force: true })
  }

  async #accepted(plants: readonly Plant[], command: 'validate' | 'plan'): Promise<readonly Plant[]> {
    for (let tried = plants; ; ) {
      const { text, lines } = projectText(this.lane, tried)
      writeFileSync(join(this.folder, 'agents.yaml'), text)
      const run = await this.run(command, '--json')
      if (run.code === 0) return tried
      const refused = new Set(
        records(run.stdout)
          .filter(({ type, severity }) => type === 'diagnostic' && severity === 'error')
          .flatMap(({ place, address }) => {
            const line = isObject(place) ? lines.get(Number(place['line'])) : undefined
            return line ?? tried.find(({ name }) => String(address).split('.').at(-1)?.split('~')[0] === name) ?? []
          }),
      )
      if (refused.size === 0) throw new Error(`${command} is refused for no field:\n${run.stdout}${run.stderr}`)
      tried = tried.filter((plant) => !refused.has(plant))
    }
  }

  #environment(value: (plant: Plant) => string): Readonly<Record<string, string>> {
    const variables = [...this.#byNumber.values()].map((plant) => [plant.variable, value(plant)] as const)
    return { STEWARD_EMULATOR: this.emulator.url, ...Object.fromEntries(variables) }
  }

  #look(where: string, text: string, mayHaveIds: boolean): void {
    for (const number of this.values.shownIn(text)) {
      const plant = this.#byNumber.get(number)
      if (plant && mayHaveIds && isExternalId(plant)) continue
      const place = plant?.place ?? String(number)
      if (!this.leaks.has(place)) this.leaks.set(place, where)
    }
  }
}
