// Suspends a tenant, whose tokens and shares are refused until it is resumed.
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Tenant } from '../../../schemas/tenant.js'
import { useSession } from '../current.js'
import { Chip } from '../parts/chip.js'
import { FormDialog } from '../parts/dialog.js'
import { TextField } from '../parts/field.js'
import { ProblemNotice } from '../parts/notice.js'
import { tenantPath } from '../paths.js'
import { text } from '../texts.js'
import { useAnswer } from '../use-answer.js'
import { useWork } from '../use-work.js'

export function Suspension({ tenantId }: { readonly tenantId: string }) {
  const { client } = useSession()
  const path = tenantPath(tenantId)
  const read = useCallback(
    (signal: AbortSignal) => client.json<{ readonly tenant: Static<typeof Tenant> }>(path, { signal }),
    [client, path],
  )
  const { answer, problem, reload } = useAnswer(read)
  const work = useWork()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const set = (action: 'suspend' | 'resume', json: object) =>
    work.run(async () => {
      await client.send(`${path}/${action}`, { method: 'POST', json })
      setAsking(false)
      reload()
    })
  const status = answer?.tenant.status
  return (
    <>
      <ProblemNotice problem={problem ?? (isAsking ? undefined : work.problem)} />
      {status === 'active' && (
        <>
          <Chip tone="good" label={text('active')} />
          <button type="button" class="button" onClick={() => setAsking(true)}>
            {text('suspend')}
          </button>
        </>
      )}
      {status === 'suspended' && (
        <>
          <Chip tone="bad" label={text('suspended')} />
          <button type="button" class="button" disabled={work.isBusy} onClick={() => void set('resume', {})}>
            {text('resume')}
          </button>
        </>
      )}
      {isAsking && (
        <FormDialog
          title={text('suspendTitle', { name: tenantId })}
          action={text('suspend')}
          isBad
          isBusy={work.isBusy}
          problem={work.problem}
          onAction={() => void set('suspend', reason === '' ? {} : { reason })}
          onClose={() => setAsking(false)}
        >
          <p>{text('suspendWhat')}</p>
          <TextField label={text('reasonIfAny')} value={reason} onValue={setReason} maxLength={1024} />
        </FormDialog>
      )}
    </>
  )
}
