// What a tenant, a share or a token may store: the field of forms, and the dialog that sets the bound of a tenant or a share.
// Empty is the setting of the server, and 0 unlimited.
import { useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'
import { FormDialog } from './dialog.js'
import { TextField } from './field.js'

const megabyte = 1_000_000

interface StorageFieldProps {
  /** Megabytes, as typed. */
  readonly value: string
  readonly onValue: (value: string) => void
}

export const StorageField = ({ value, onValue }: StorageFieldProps) => (
  <TextField
    label={text('megabytes')}
    hint={text('megabytesHint')}
    value={value}
    onValue={onValue}
    maxLength={16}
    pattern="[0-9]{1,9}([.,][0-9]{1,6})?"
  />
)

/** Returns the bytes that were typed; null = the setting of the server. */
export function storedBytesMaxOf(typed: string): number | null {
  const number = typed.trim().replace(',', '.')
  return number === '' ? null : Math.round(Number(number) * megabyte)
}

interface StorageLimitProps {
  /** Path of the tenant or share. */
  readonly path: string
  readonly name: string
  readonly storedBytesMax: number | null
  readonly onChanged: () => void
}

export function StorageLimit({ path, name, storedBytesMax, onChanged }: StorageLimitProps) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const ask = () => {
    setTyped(storedBytesMax === null ? '' : String(storedBytesMax / megabyte))
    setAsking(true)
  }
  const set = async () => {
    await client.send(path, { method: 'PATCH', json: { storedBytesMax: storedBytesMaxOf(typed) } })
    setAsking(false)
    onChanged()
  }
  return (
    <>
      <button type="button" class="button" aria-label={text('limitStorageOf', { name })} onClick={ask}>
        {text('limitStorage')}
      </button>
      {isAsking && (
        <FormDialog
          title={text('limitStorageOf', { name })}
          action={text('save')}
          isBusy={isBusy}
          problem={problem}
          onAction={() => void run(set)}
          onClose={() => setAsking(false)}
        >
          <StorageField value={typed} onValue={setTyped} />
        </FormDialog>
      )}
    </>
  )
}
