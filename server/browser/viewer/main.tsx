// The page of a document: `/view/DOCUMENT#token=…` and `/s/SHARE`.
import '../shared/base.css'
import './viewer.css'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { language } from '../shared/texts.js'
import { type Access, openAccess } from './access.js'
import { type Page, takeAddress } from './address.js'
import { Failure, type Problem, problemOf } from './parts/failure.js'
import { SecretForm } from './parts/secret-form.js'
import { Loading, Viewer } from './viewer.js'

type State =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly access: Access }
  | { readonly kind: 'passphrase'; readonly wasWrong: boolean }
  | { readonly kind: 'failed'; readonly problem: Problem }

function App({ page }: { readonly page: Page }) {
  const [state, setState] = useState<State>({ kind: 'opening' })
  const open = (passphrase?: string) => {
    setState({ kind: 'opening' })
    openAccess(page, passphrase).then(
      (access) => setState({ kind: 'open', access }),
      (error: unknown) => setState(refused(error, passphrase !== undefined)),
    )
  }
  useEffect(open, [])
  if (state.kind === 'opening') return <Loading />
  if (state.kind === 'open') return <Viewer access={state.access} />
  if (state.kind === 'failed') return <Failure problem={state.problem} onAgain={() => open()} />
  return (
    <SecretForm
      title="passphraseTitle"
      label="passphrase"
      problem={state.wasWrong ? 'wrongPassphrase' : undefined}
      onSecret={open}
    />
  )
}

function refused(error: unknown, wasWrong: boolean): State {
  const problem = problemOf(error)
  return problem.code === 'SharePasswordRequired' ? { kind: 'passphrase', wasWrong } : { kind: 'failed', problem }
}

// Another link to this page, which the browser opens without loading it again.
window.addEventListener('hashchange', () => {
  if (location.hash.includes('token=')) location.reload()
})

document.documentElement.lang = language
const root = document.getElementById('app')
if (root !== null) render(<App page={takeAddress(window)} />, root)
