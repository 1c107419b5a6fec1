// A document server of its own for some files, on a folder that goes when they are judged.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check.js'
import { readSettings } from '../../server/settings.js'
import { startServer } from '../../server/start.js'
import { Client } from '../server/support/client.js'
import { makers } from '../server/support/running-server.js'
import { builtThread } from '../support/worker-thread.js'

export interface MatrixServer {
  readonly api: Client
  /** Answers the id of the document; throws where the file is refused. */
  upload(bytes: Uint8Array): Promise<string>
  /** Scratch for downloads. */
  readonly folder: string
  /** Stops it, and answers what its check finds. */
  close(): Promise<readonly string[]>
}

export async function startMatrixServer(threads: number): Promise<MatrixServer> {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'))
  const data = join(folder, 'data')
  const defaults = await readSettings({ flags: {}, env: {} })
  const config = { ...defaults, port: 0, threads, data, logLevel: 'error' as const }
  const logTo = new Writable({ write: (_chunk, _encoding, done) => done() })
  const thread = await builtThread()
  const server = await startServer(config, { env: {}, version: '0.0.0-matrix', logTo, thread })
  const api = new Client(server.url, server.apiToken)
  return {
    api,
    folder,
    upload: (bytes) => makers(api).upload(bytes),
    async close() {
      await server.close()
      const findings: string[] = []
      await checkStorage({
        folder: data,
        digest: digestHere,
        report: ({ code, where, detail }) => findings.push(`${code} ${where}: ${detail}`),
      })
      rmSync(folder, { recursive: true, force: true })
      return findings
    },
  }
}
