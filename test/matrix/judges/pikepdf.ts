// Python process that inspects files with pikepdf and lives as long as the run.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { python } from '../../support/pdf/judges.js'

const Examined = Type.Union([
  Type.Object({ id: Type.Integer(), error: Type.String() }),
  Type.Object({
    id: Type.Integer(),
    pages: Type.Integer(),
    /** Number of annotations of each page, of any kind. */
    annotations: Type.Array(Type.Integer()),
    /** Field values by full name, as stored in the file. */
    fields: Type.Record(Type.String(), Type.Unknown()),
    /** Buttons whose on state has no appearance. */
    strange: Type.Array(Type.String()),
    /** Object numbers of the pages. */
    pageNumbers: Type.Array(Type.Integer()),
    /** Numbers of objects that are referred to and missing. */
    dangling: Type.Array(Type.Integer()),
    /** Streams that cannot be decoded, with the reason. */
    bad: Type.Array(Type.String()),
    /** True if content or structure has /ActualText, which a redaction removes from the whole page. */
    replacesText: Type.Boolean(),
    /** True if resources have /DefaultRGB, which changes the colours of annotations. */
    replacesColors: Type.Boolean(),
    title: Type.Union([Type.String(), Type.Null()]),
  }),
])
export type Examined = Static<typeof Examined>

export class Pikepdf {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, (examined: Examined) => void>()
  #asked = 0

  constructor() {
    const script = fileURLToPath(new URL('examine.py', import.meta.url))
    const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'ignore'] })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const examined = Parse(Examined, JSON.parse(line))
      this.#waiting.get(examined.id)?.(examined)
      this.#waiting.delete(examined.id)
    })
    child.on('exit', () => {
      for (const [id, answer] of this.#waiting) answer({ id, error: 'pikepdf ended' })
    })
    this.#child = child
  }

  examine(path: string, password = ''): Promise<Examined> {
    const id = ++this.#asked
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#child.stdin?.write(`${JSON.stringify({ id, path, password })}\n`)
    })
  }

  close(): void {
    this.#child.stdin?.end()
  }
}
