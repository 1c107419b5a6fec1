// The viewer of one document: it opens it, asks for its password, and shows it.

import type { DocumentState } from '@embedpdf/core'
import { EmbedPDF } from '@embedpdf/core/preact'
import { PdfErrorCode } from '@embedpdf/models'
import { useDocumentManagerCapability } from '@embedpdf/plugin-document-manager/preact'
import type { ComponentChildren } from 'preact'
import { useCallback, useMemo, useState } from 'preact/hooks'
import type { ApiError } from '../shared/api-error.js'
import { text } from '../shared/texts.js'
import type { Access } from './access.js'
import { Edits } from './engine/edits.js'
import { complete, HttpEngine } from './engine/http-engine.js'
import { Failure, problemOf } from './parts/failure.js'
import { GuestName } from './parts/guest-name.js'
import { LayerChoice } from './parts/layer-choice.js'
import { SecretForm } from './parts/secret-form.js'
import { Workspace } from './parts/workspace.js'
import { documentId, plugins } from './plugins.js'

export function Viewer({ access }: { readonly access: Access }) {
  const engine = useMemo(() => new HttpEngine(access.client, access.name), [access])
  const whole = useMemo(() => complete(engine), [engine])
  // A document with other pages than before is opened once more.
  const [{ round, startPage }, setRound] = useState({ round: 0, startPage: 1 })
  const [, setRevision] = useState(0)
  const [onName, setOnName] = useState<{ readonly call: (name: string | undefined) => void } | undefined>()
  // What was done can be undone whatever happens to the pages meanwhile.
  const edits = useMemo(() => {
    const { client, name, guest } = access
    const introduce = async () => {
      if (guest?.isUnknown !== true) return
      const given = await new Promise<string | undefined>((call) => setOnName({ call }))
      setOnName(undefined)
      guest.introduce(given)
      if (given !== undefined) await client.renew()
    }
    return new Edits(client, name, () => setRevision((before) => before + 1), introduce)
  }, [access])
  const [end, setEnd] = useState<ApiError | undefined>()
  const onPages = useCallback(
    (shown: number) => setRound((before) => ({ round: before.round + 1, startPage: shown })),
    [],
  )
  const choice = <LayerChoice layer={access.name.layer} layers={access.layers} />
  if (end !== undefined) {
    return (
      <Failure problem={end} onAgain={() => location.reload()}>
        {choice}
      </Failure>
    )
  }
  return (
    <>
      {onName && <GuestName onName={onName.call} />}
      <EmbedPDF key={round} engine={whole} plugins={plugins}>
        {({ documents, pluginsReady }) => {
          const state = documents[documentId]
          if (!pluginsReady || state === undefined || state.status === 'loading') return <Loading />
          if (state.status === 'error') {
            return (
              <Refused state={state} engine={engine}>
                {choice}
              </Refused>
            )
          }
          const opened = engine.opened(documentId)
          return (
            <Workspace
              opened={opened}
              documentId={documentId}
              layers={access.layers}
              edits={edits}
              startPage={startPage}
              onPages={onPages}
              onEnd={setEnd}
            />
          )
        }}
      </EmbedPDF>
    </>
  )
}

export const Loading = () => (
  <main class="message" aria-busy="true">
    <p>{text('loading')}</p>
  </main>
)

interface RefusedProps {
  readonly state: DocumentState
  readonly engine: HttpEngine
  readonly children: ComponentChildren
}

function Refused({ state, engine, children }: RefusedProps) {
  const { provides: manager } = useDocumentManagerCapability()
  const open = (password?: string) => manager?.retryDocument(documentId, password === undefined ? {} : { password })
  const problem = problemOf(engine.refusal)
  const isTooOften = state.passwordProvided === true && problem.code === 'TooManyRequests'
  if (state.errorCode !== PdfErrorCode.Password && !isTooOften) {
    return (
      <Failure problem={problem} onAgain={() => open()}>
        {children}
      </Failure>
    )
  }
  return (
    <SecretForm
      title="passwordTitle"
      label="password"
      problem={isTooOften ? 'tooManyTries' : state.passwordProvided ? 'wrongPassword' : undefined}
      onSecret={open}
    />
  )
}
