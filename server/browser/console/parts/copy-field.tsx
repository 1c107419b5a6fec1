// A link or token that is shown once, with a button that copies it.
import { useRef, useState } from 'preact/hooks'
import { text } from '../texts.js'
import { Icon } from './icon.js'

export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    field.current?.select()
    setCopied(await copied(value))
  }
  return (
    <div class="copy-field">
      <label>
        {label}
        <input ref={field} readOnly value={value} spellcheck={false} onFocus={() => field.current?.select()} />
      </label>
      <button type="button" class="button main" onClick={() => void copy()}>
        <Icon name="copy" />
        {text('copy')}
      </button>
      <span role="status" class="faint">
        {isCopied ? text('copied') : ''}
      </span>
    </div>
  )
}

/** Pages that did not come over TLS have no clipboard, but can copy what is selected. */
async function copied(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value)
    return true
  } catch {
    return document.execCommand('copy')
  }
}
