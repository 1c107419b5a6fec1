// Document server for a few files, with a data folder that is removed at the end.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '../server/support/client.js'
import { makers } from '../server/support/running-server.js'
import { childProgram } from '../support/child-process.js'

export interface MatrixServer {
  readonly api: Client
  /** Returns the id of the document; throws if the file is refused. */
  upload(bytes: Uint8Array): Promise<string>
  /** Temporary folder for downloads. */
  readonly folder: string
  /** Stops the server, checks its data folder and returns the findings. */
  close(): Promise<readonly string[]>
}

export async function startMatrixServer(threads: number): Promise<MatrixServer> {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
  const program = childProgram(new URL('server-process.ts', import.meta.url))
  const child = spawn(process.execPath, [...program, join(folder, 'data'), String(threads)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const written = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('The server process ended unexpectedly')
    return JSON.parse(value)
  }
  const { url, apiToken } = await written()
  const api = new Client(url, apiToken)
  return {
    api,
    folder,
    upload: (bytes) => makers(api).upload(bytes),
    async close() {
      child.stdin.end()
      const findings: readonly string[] = await written()
      rmSync(folder, { recursive: true, force: true })
      return findings
    },
  }
}
