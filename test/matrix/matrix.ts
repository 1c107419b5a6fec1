// Runs cases over files: one server per handful of files, two files in parallel.
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MatrixFile } from './files/matrix-file.js'
import { Measured } from './judges/measured.js'
import { Pikepdf } from './judges/pikepdf.js'
import type { MatrixCase } from './ops/index.js'
import { insertedFile } from './ops/pages.js'
import type { Report } from './report.js'
import { runFile } from './run-file.js'
import { type MatrixServer, startMatrixServer } from './server.js'

export interface Job {
  readonly file: MatrixFile
  readonly cases: readonly MatrixCase[]
}

export interface MatrixOptions {
  readonly report: Report
  /** Number of files in parallel, and of threads per server. Default 2. */
  readonly beside?: number
  readonly progress?: (line: string) => void
  /** Folder for files with complaints. */
  readonly keep?: string
}

const filesOfServer = 16

export async function runMatrix(
  jobs: readonly Job[],
  { report, beside = 2, progress = () => {}, keep }: MatrixOptions,
): Promise<void> {
  const pikepdf = new Pikepdf()
  const path = join(tmpdir(), `matrix-${randomUUID()}.pdf`)
  writeFileSync(path, insertedFile())
  const inserted = new Measured(path, undefined, pikepdf)
  try {
    for (let at = 0; at < jobs.length; at += filesOfServer) {
      const server = await startMatrixServer(beside)
      await together(jobs.slice(at, at + filesOfServer), beside, async ({ file, cases }) => {
        await runFile(file, cases, { server, pikepdf, report, inserted, ...(keep !== undefined && { keep }) })
        progress(`${report.judged} right, ${report.failures} failed after ${file.name}`)
      })
      takeCheck(report, await closing(server), jobs[at]?.file.name)
    }
  } finally {
    pikepdf.close()
    rmSync(path, { force: true })
  }
}

const closing = (server: MatrixServer): Promise<readonly string[]> => server.close()

function takeCheck(report: Report, findings: readonly string[], first = ''): void {
  const complaints = findings.map((got) => ({ judge: 'serve --check', what: 'the data is whole', expected: [], got }))
  report.take({
    file: `from ${first}`,
    case: 'check',
    outcome: { kind: findings.length > 0 ? 'failed' : 'judged', complaints },
  })
}

async function together<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: count }, worker))
}
