// `agents serve --check`: prints each problem in the data of a stopped server.

import { checkStorage } from '../../server/check/check.js'
import { type Finding, findingTexts } from '../../server/check/findings.js'
import { openingProblem } from '../../server/lifecycle/opening-problem.js'
import { digestFile } from '../../server/operation/digest-file.js'
import type { Config } from '../../server/settings/config.js'
import { serveProblem } from '../../server/settings/problems.js'
import { secretsAtHand } from '../../server/settings/secrets.js'
import { WorkerPool } from '../../workers/pool/pool.js'
import type { Output } from '../render/output.js'
import { countOf } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export async function checkData(
  { data: folder, store: storeAddress, blobs: storage }: Pick<Config, 'data' | 'store' | 'blobs'>,
  { env, output }: { readonly env: Readonly<Record<string, string | undefined>>; readonly output: Output },
): Promise<ExitCode> {
  if (storage !== undefined) {
    throw serveProblem('serve.check-folder-only', { detail: 'The files are in the storage that --blobs names.' })
  }
  const workers = await WorkerPool.start({ threads: 1 })
  try {
    const { rows, blobs, blobBytes, findings, warnings } = await checkStorage({
      folder,
      storeAddress,
      secrets: await secretsAtHand(folder, env),
      digest: (path) => digestFile(workers, path),
      report: (finding) => {
        const { summary, fix } = findingTexts[finding.code]
        output.record({ type: 'finding', summary, fix, ...finding })
        output.print(
          `${finding.code}  ${finding.where}${ownerIn(finding)}\n  ${summary}. ${finding.detail}\n  Fix: ${fix}`,
        )
      },
    })
    output.record({ type: 'summary', rows, blobs, blobBytes, findings, warnings })
    const seen = `${countOf(rows, 'record')} and ${countOf(blobs, 'file')}`
    const found = [
      ...(findings > 0 ? [countOf(findings, 'finding')] : []),
      ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
    ]
    output.print(`${seen}: ${found.length === 0 ? 'all as they should be' : found.join(', ')}.`)
    return findings === 0 ? exitCode.done : exitCode.failed
  } catch (error) {
    throw openingProblem(folder, error) ?? error
  } finally {
    await workers.close()
  }
}

/** Names the tenant and document as clients know them: the ids of the record or file are internal. */
function ownerIn({ tenantId, documentId }: Finding): string {
  if (tenantId === undefined) return ''
  return documentId === undefined ? `  (tenant ${tenantId})` : `  (document ${documentId} of tenant ${tenantId})`
}
