// Makes a token, limited to what was chosen, and shows it once.

import { useState } from 'preact/hooks'
import { scopesOf } from '../../../auth/scope-presets.js'
import { useSession } from '../current.js'
import { timeText } from '../format.js'
import { FormDialog } from '../parts/dialog.js'
import { CheckField, ChoiceField, TextField } from '../parts/field.js'
import { ShownOnce } from '../parts/shown-once.js'
import { StorageField, storedBytesMaxOf } from '../parts/storage-limit.js'
import { wordsOf } from '../parts/words-of.js'
import { abilities, tenantAbilities } from '../scopes.js'
import { type TextName, text } from '../texts.js'
import { useWork } from '../use-work.js'
import { type IssuedToken, issueToken } from './issue-token.js'

const lifetimes: readonly (readonly [seconds: string, name: TextName])[] = [
  ['3600', 'oneHour'],
  ['86400', 'oneDay'],
  ['604800', 'oneWeek'],
  ['2592000', 'oneMonth'],
  ['7776000', 'threeMonths'],
]

interface NewTokenProps {
  readonly tenantId: string
  readonly onClose: () => void
}

export function NewToken({ tenantId, onClose }: NewTokenProps) {
  const { client, isOperator, madeTokens } = useSession()
  const { isBusy, problem, run } = useWork()
  const [kind, setKind] = useState<'doc' | 'tenant'>('doc')
  const [sub, setSub] = useState('')
  const [docId, setDocId] = useState('')
  const [layerName, setLayerName] = useState('default')
  const [origins, setOrigins] = useState('')
  const [megabytes, setMegabytes] = useState('')
  const [lifetime, setLifetime] = useState('3600')
  const [chosen, setChosen] = useState<ReadonlySet<TextName>>(new Set(['mayRead']))
  const [issued, setIssued] = useState<IssuedToken | undefined>()
  const make = async () => {
    const common = { kind, sub, expiresIn: Number(lifetime) }
    const sites = wordsOf(origins)
    const presets = abilities.filter(({ name }) => chosen.has(name)).map(({ preset }) => preset)
    const storedBytesMax = storedBytesMaxOf(megabytes) ?? undefined
    const ofDocument = { docId, layerName, scope: scopesOf(['read', ...presets]), storedBytesMax }
    const json =
      kind === 'tenant'
        ? { ...common, scope: tenantAbilities.filter(({ name }) => chosen.has(name)).map(({ scope }) => scope) }
        : { ...common, ...ofDocument, userId: sub, displayName: sub, ...(sites.length > 0 && { origins: sites }) }
    const token = await issueToken(client, tenantId, json)
    const { jti, expiresAt } = token
    madeTokens.add({ jti, tenantId, sub, docId: kind === 'doc' ? docId : undefined, expiresAt, isRevoked: false })
    setIssued(token)
  }
  if (issued !== undefined) {
    return (
      <ShownOnce
        title={text('tokenMade')}
        what={text('tokenOnce', { time: timeText(issued.expiresAt * 1000) })}
        values={{ [text('token')]: issued.token, [text('tokenId')]: issued.jti }}
        onClose={onClose}
      />
    )
  }
  const toggle = (name: TextName, isChecked: boolean) =>
    setChosen((before) => new Set(isChecked ? [...before, name] : [...before].filter((one) => one !== name)))
  return (
    <FormDialog
      title={text('newToken')}
      action={text('make')}
      isBusy={isBusy}
      problem={problem}
      onAction={() => void run(make)}
      onClose={onClose}
    >
      {isOperator && (
        <ChoiceField
          label={text('opens')}
          value={kind}
          onValue={(value) => setKind(value === 'doc' ? 'doc' : 'tenant')}
        >
          <option value="doc">{text('kindDocument')}</option>
          <option value="tenant">{text('kindTenant')}</option>
        </ChoiceField>
      )}
      <TextField label={text('subject')} hint={text('subjectHint')} value={sub} onValue={setSub} isNeeded />
      {kind === 'doc' && (
        <>
          <TextField label={text('documentId')} value={docId} onValue={setDocId} isNeeded maxLength={128} />
          <TextField label={text('layer')} value={layerName} onValue={setLayerName} isNeeded />
        </>
      )}
      <fieldset>
        <legend>{text('mayDo')}</legend>
        {kind === 'doc' && <p class="faint">{text('readersMay')}</p>}
        {(kind === 'doc' ? abilities : tenantAbilities).map(({ name }) => (
          <CheckField
            key={name}
            label={text(name)}
            isChecked={chosen.has(name)}
            onChecked={(isChecked) => toggle(name, isChecked)}
          />
        ))}
      </fieldset>
      <ChoiceField label={text('lifetime')} value={lifetime} onValue={setLifetime}>
        {lifetimes.map(([seconds, name]) => (
          <option key={seconds} value={seconds}>
            {text(name)}
          </option>
        ))}
      </ChoiceField>
      {kind === 'doc' && (
        <>
          <TextField
            label={text('sites')}
            hint={text('sitesHint')}
            value={origins}
            onValue={setOrigins}
            maxLength={8192}
          />
          <StorageField value={megabytes} onValue={setMegabytes} />
        </>
      )}
    </FormDialog>
  )
}
