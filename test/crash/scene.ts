// A copy of an example folder, with emulators and the program. The run to be killed is a separate process; earlier and later
// runs are in this process, which is five times faster.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { MemoryDisk } from '../../core/conformance/memory-disk.js'
import { isObject } from '../../core/value/tree.js'
import { builtins } from '../../plugins/builtins.js'
import { type EmulatedObject, emulate, type TestEmulator } from '../cli/emulator.js'
import { agentsHere, type RunHere } from '../cli/in-process.js'
import { type Running, root, scratchFolder, start } from '../cli/program.js'

const providers = await Promise.all(Object.values(builtins).map(({ load }) => load()))
/** `qoder skill`: kinds of which a crash may leave a copy that nothing refers to. */
const repeated = new Set(
  providers.flatMap(({ name, handlers }) =>
    handlers.filter(({ lostCreate }) => lostCreate.by === 'repeat').map(({ kind }) => `${name} ${kind}`),
  ),
)

export class Scene {
  private constructor(
    readonly folder: string,
    readonly emulator: TestEmulator,
    private readonly disk: MemoryDisk,
  ) {}

  /** Nothing is applied yet. `example` is a folder below `examples`. */
  static open(t: Test, example: string): Promise<Scene> {
    return Scene.at(t, join(root, 'examples', example), new MemoryDisk())
  }

  /** Returns an independent copy of files and objects. */
  copy(t: Test): Promise<Scene> {
    return Scene.at(t, this.folder, this.disk.copy())
  }

  private static async at(t: Test, files: string, disk: MemoryDisk): Promise<Scene> {
    const folder = scratchFolder(t)
    cpSync(files, folder, { recursive: true })
    return new Scene(folder, await emulate(t, { disk, dataFolder: '/data' }), disk)
  }

  run(...words: string[]): Promise<RunHere> {
    return agentsHere(words, { ...this.options, sharesState: true })
  }

  start(...words: string[]): Running {
    return start(words, this.options)
  }

  edit(...replacements: readonly (readonly [from: string, to: string])[]): void {
    const path = join(this.folder, 'agents.yaml')
    let text = readFileSync(path, 'utf8')
    for (const [from, to] of replacements) {
      if (!text.includes(from)) throw new Error(`${from} is not in the file`)
      text = text.replace(from, () => to)
    }
    writeFileSync(path, text)
  }

  /** Runs the program, and counts the writes that the emulators see meanwhile. */
  async countWrites(...words: string[]): Promise<number> {
    await this.emulator.knobs({ hold: { write: 1_000_000, when: 'before' } })
    const { code, stderr } = await this.run(...words)
    if (code !== 0) throw new Error(`agents ${words.join(' ')} ended with ${code}: ${stderr}`)
    const { hold } = (await (await fetch(`${this.emulator.url}/_emulator/knobs`)).json()) as {
      readonly hold: { readonly seen: number }
    }
    return hold.seen
  }

  /** Returns differences between state and the providers; none if all is well. */
  async differences(): Promise<readonly string[]> {
    const rows = this.rows()
    const objects = await this.emulator.objects()
    const owned = rows.filter(([, { id, ownership }]) => id !== null && ownership !== 'external')
    const owners = new Map(owned.map(([address, { id }]) => [id, address]))
    const ids = new Set(objects.map(({ id }) => id))
    const missing = owned.filter(([, { id }]) => !ids.has(String(id)))
    const isThere = await Promise.all(missing.map(([, { id }]) => this.emulator.has(String(id))))
    return [
      ...missing.filter((_, index) => !isThere[index]).map(([address]) => `${address} has no object`),
      ...rows.filter(([, { operation }]) => operation !== undefined).map(([address]) => `${address} has open work`),
      ...rows.filter(([, { deposed }]) => deposed !== undefined).map(([address]) => `${address} has deposed objects`),
      ...(owners.size < owned.length ? ['two rows have the same object'] : []),
      ...objects.filter((object) => !owners.has(object.id) && !isHarmless(object)).map(describe),
    ]
  }

  /** Objects that should have been removed. */
  async left(): Promise<readonly string[]> {
    return (await this.emulator.objects()).filter((object) => !isHarmless(object)).map(describe)
  }

  rows(): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
    const state: unknown = JSON.parse(readFileSync(join(this.folder, 'agents.state.json'), 'utf8'))
    const rows = isObject(state) && isObject(state['rows']) ? state['rows'] : {}
    return Object.entries(rows).map(([address, row]) => [address, isObject(row) ? row : {}])
  }

  private get options() {
    return { folder: this.folder, env: { ...this.variables(), ...this.emulator.env } }
  }

  /** Any word will do as the value of a variable. */
  private variables(): Readonly<Record<string, string>> {
    const text = readFileSync(join(this.folder, 'agents.yaml'), 'utf8')
    return Object.fromEntries([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, `word-for-${name}`]))
  }
}

function isHarmless({ provider, kind, permanent }: EmulatedObject): boolean {
  return permanent || repeated.has(`${provider} ${kind}`)
}

function describe({ provider, kind, name, id }: EmulatedObject): string {
  return `${provider} ${kind} ${name} (${id}) belongs to no row`
}
