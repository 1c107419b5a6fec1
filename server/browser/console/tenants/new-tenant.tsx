// Makes a tenant, and shows it.
import { useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { FormDialog } from '../parts/dialog.js'
import { TextField } from '../parts/field.js'
import { addressOf } from '../place.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'

export function NewTenant({ onClose }: { readonly onClose: () => void }) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const [id, setId] = useState('')
  const [name, setName] = useState('')
  const make = async () => {
    const json = { id, ...(name === '' ? {} : { name }) }
    await client.send('v1/tenants', { method: 'POST', json })
    location.hash = addressOf({ kind: 'tenant', tenantId: id, tab: 'documents' })
  }
  return (
    <FormDialog
      title={text('newTenant')}
      action={text('make')}
      isBusy={isBusy}
      problem={problem}
      onAction={() => void run(make)}
      onClose={onClose}
    >
      <TextField
        label={text('tenantId')}
        hint={text('idHint')}
        value={id}
        onValue={setId}
        isNeeded
        maxLength={128}
        pattern="[A-Za-z0-9_\-]+"
      />
      <TextField label={text('nameIfAny')} value={name} onValue={setName} />
    </FormDialog>
  )
}
