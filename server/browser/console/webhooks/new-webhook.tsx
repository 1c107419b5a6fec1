// Makes a webhook, and shows its secret once.
import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { WebhookWithSecret } from '../../../schemas/webhook.js'
import { useSession } from '../current.js'
import { FormDialog } from '../parts/dialog.js'
import { CheckField, TextField } from '../parts/field.js'
import { ShownOnce } from '../parts/shown-once.js'
import { webhooksPath } from '../paths.js'
import { type TextName, text } from '../texts.js'
import { useWork } from '../use-work.js'

const types: readonly (readonly [type: string, name: TextName])[] = [
  ['document.ready', 'whenReady'],
  ['document.failed', 'whenFailed'],
  ['document.changed', 'whenChanged'],
  ['version.created', 'whenVersion'],
  ['share.opened', 'whenShareOpened'],
]

interface NewWebhookProps {
  readonly tenantId: string
  readonly onMade: () => void
  readonly onClose: () => void
}

export function NewWebhook({ tenantId, onMade, onClose }: NewWebhookProps) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(types.map(([type]) => type))
  const [secret, setSecret] = useState<string | undefined>()
  const make = async () => {
    const json = { url: url.trim(), types: chosen }
    const made = await client.json<Static<typeof WebhookWithSecret>>(webhooksPath(tenantId), { method: 'POST', json })
    setSecret(made.secret)
    onMade()
  }
  if (secret !== undefined) {
    return (
      <ShownOnce
        title={text('webhookMade')}
        what={text('secretOnce')}
        values={{ [text('secret')]: secret }}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={text('newWebhook')}
      action={text('make')}
      isBusy={isBusy}
      problem={problem}
      onAction={() => void run(make)}
      onClose={onClose}
    >
      <TextField label={text('url')} hint={text('urlHint')} value={url} onValue={setUrl} maxLength={2048} isNeeded />
      <fieldset>
        <legend>{text('sentWhen')}</legend>
        {types.map(([type, name]) => (
          <CheckField
            key={type}
            label={text(name)}
            isChecked={chosen.includes(type)}
            onChecked={(isChecked) => setChosen(isChecked ? [...chosen, type] : chosen.filter((one) => one !== type))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
