// A dialog with values that are shown once: a link, a token or a secret.
import { text } from '../texts.js'
import { CopyField } from './copy-field.js'
import { Dialog } from './dialog.js'

interface ShownOnceProps {
  readonly title: string
  /** Says that it is shown once, and what to do with it. */
  readonly what: string
  /** Values by their labels. */
  readonly values: Readonly<Record<string, string>>
  readonly onClose: () => void
}

export const ShownOnce = ({ title, what, values, onClose }: ShownOnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{what}</p>
    {Object.entries(values).map(([label, value]) => (
      <CopyField key={label} label={label} value={value} />
    ))}
    <div class="dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        {text('close')}
      </button>
    </div>
  </Dialog>
)
