// Switches the log of reads of a tenant: who saw what of its documents.
import { useCallback } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Tenant } from '../../../schemas/tenant.js'
import { useSession } from '../current.js'
import { ProblemNotice } from '../parts/notice.js'
import { tenantPath } from '../paths.js'
import { text } from '../texts.js'
import { useAnswer } from '../use-answer.js'
import { useWork } from '../use-work.js'

type Answer = { readonly tenant: Static<typeof Tenant> }

export function AuditReads({ tenantId }: { readonly tenantId: string }) {
  const { client } = useSession()
  const path = tenantPath(tenantId)
  const read = useCallback((signal: AbortSignal) => client.json<Answer>(path, { signal }), [client, path])
  const { answer, problem, reload } = useAnswer(read)
  const work = useWork()
  const isOn = answer?.tenant.auditReads
  const turn = () =>
    work.run(async () => {
      await client.send(path, { method: 'PATCH', json: { auditReads: !isOn } })
      reload()
    })
  return (
    <>
      <ProblemNotice problem={problem ?? work.problem} />
      {isOn !== undefined && (
        <button
          type="button"
          class="button"
          aria-pressed={isOn}
          title={text('recordReadsWhat')}
          disabled={work.isBusy}
          onClick={() => void turn()}
        >
          {text('recordReads')}
        </button>
      )}
    </>
  )
}
