// Makes a share with its limits, and shows the link once.
import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import { scopesOf } from '../../../auth/scope-presets.js'
import type { ShareAnswer } from '../../../schemas/share.js'
import { useSession } from '../current.js'
import { FormDialog } from '../parts/dialog.js'
import { CheckField, ChoiceField, TextField } from '../parts/field.js'
import { ShownOnce } from '../parts/shown-once.js'
import { StorageField, storedBytesMaxOf } from '../parts/storage-limit.js'
import { wordsOf } from '../parts/words-of.js'
import { tenantPath } from '../paths.js'
import { abilities } from '../scopes.js'
import { type TextName, text } from '../texts.js'
import { useWork } from '../use-work.js'

const day = 24 * 60 * 60 * 1000

const lifetimes: readonly (readonly [ms: string, name: TextName])[] = [
  [String(day), 'oneDay'],
  [String(7 * day), 'oneWeek'],
  [String(30 * day), 'oneMonth'],
  [String(90 * day), 'threeMonths'],
  ['', 'forever'],
]

interface NewShareProps {
  readonly tenantId: string
  readonly docId: string
  readonly onMade: () => void
  readonly onClose: () => void
}

export function NewShare({ tenantId, docId, onMade, onClose }: NewShareProps) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const [layerName, setLayerName] = useState('default')
  const [lifetime, setLifetime] = useState(String(30 * day))
  const [passphrase, setPassphrase] = useState('')
  const [displayName, setDisplayName] = useState('')
  const [origins, setOrigins] = useState('')
  const [megabytes, setMegabytes] = useState('')
  const [chosen, setChosen] = useState<readonly TextName[]>([])
  const [link, setLink] = useState<string | undefined>()
  const make = async () => {
    const sites = wordsOf(origins)
    const presets = abilities.filter(({ name }) => chosen.includes(name)).map(({ preset }) => preset)
    const json = {
      docId,
      layerName,
      scope: scopesOf(['read', ...presets]),
      ...(displayName.trim() === '' ? {} : { displayName: displayName.trim() }),
      ...(lifetime === '' ? {} : { expiresAt: Date.now() + Number(lifetime) }),
      ...(passphrase === '' ? {} : { password: passphrase }),
      ...(sites.length === 0 ? {} : { origins: sites }),
      storedBytesMax: storedBytesMaxOf(megabytes),
    }
    const path = `${tenantPath(tenantId)}/shares`
    const { share } = await client.json<Static<typeof ShareAnswer>>(path, { method: 'POST', json })
    setLink(client.address(`s/${share.id}`).href)
    onMade()
  }
  if (link !== undefined) {
    return (
      <ShownOnce
        title={text('shareMade')}
        what={text(passphrase === '' ? 'shareOnce' : 'shareOncePassphrase')}
        values={{ [text('link')]: link }}
        onClose={onClose}
      />
    )
  }
  return (
    <FormDialog
      title={text('newShare')}
      action={text('make')}
      isBusy={isBusy}
      problem={problem}
      onAction={() => void run(make)}
      onClose={onClose}
    >
      <fieldset>
        <legend>{text('mayDo')}</legend>
        <p class="faint">{text('readersMay')}</p>
        {abilities.map(({ name }) => (
          <CheckField
            key={name}
            label={text(name)}
            isChecked={chosen.includes(name)}
            onChecked={(isChecked) => setChosen(isChecked ? [...chosen, name] : chosen.filter((one) => one !== name))}
          />
        ))}
      </fieldset>
      <ChoiceField label={text('lifetime')} value={lifetime} onValue={setLifetime}>
        {lifetimes.map(([ms, name]) => (
          <option key={name} value={ms}>
            {text(name)}
          </option>
        ))}
      </ChoiceField>
      <TextField label={text('recipient')} hint={text('recipientHint')} value={displayName} onValue={setDisplayName} />
      <TextField
        label={text('passphraseIfAny')}
        type="password"
        value={passphrase}
        onValue={setPassphrase}
        maxLength={1024}
      />
      <TextField label={text('layer')} value={layerName} onValue={setLayerName} isNeeded />
      <TextField label={text('sites')} hint={text('sitesHint')} value={origins} onValue={setOrigins} maxLength={8192} />
      <StorageField value={megabytes} onValue={setMegabytes} />
    </FormDialog>
  )
}
