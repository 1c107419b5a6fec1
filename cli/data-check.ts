// `agents serve --check`: what is wrong with the data of a stopped server, finding by finding.

import { findingTexts } from '../server/check/findings.js'
import { checkStorage } from '../server/check.js'
import { digestFile } from '../server/digest-file.js'
import { openingProblem } from '../server/opening-problem.js'
import { WorkerPool } from '../workers/pool.js'
import { type ExitCode, exitCode } from './exit-codes.js'
import type { Output } from './output.js'
import { counted } from './render/text.js'

export async function checkData(folder: string, output: Output): Promise<ExitCode> {
  const workers = await WorkerPool.start({ threads: 1 })
  try {
    const { rows, blobs, blobBytes, findings } = await checkStorage({
      folder,
      digest: (path) => digestFile(workers, path),
      report: (finding) => {
        const { summary, fix } = findingTexts[finding.code]
        output.record({ type: 'finding', summary, fix, ...finding })
        output.print(`${finding.code}  ${finding.where}\n  ${summary}. ${finding.detail}\n  Fix: ${fix}`)
      },
    })
    output.record({ type: 'summary', rows, blobs, blobBytes, findings })
    const seen = `${counted(rows, 'record')} and ${counted(blobs, 'file')}`
    output.print(findings === 0 ? `${seen}: all as they should be.` : `${seen}: ${counted(findings, 'finding')}.`)
    return findings === 0 ? exitCode.done : exitCode.failed
  } catch (error) {
    throw openingProblem(folder, error) ?? error
  } finally {
    await workers.close()
  }
}
